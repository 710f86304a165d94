import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { relPathFromBytes } from '../../src/domain/sandbox/rel-path.ts'
import type { Sandbox } from '../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../src/infrastructure/system/host.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { expectOk } from '../support/result.ts'

const TURNS = 9
const planId = asId<PlanId>('01JZZZZZZZZZZZZZZZZZZZZZZZ')
const never = new AbortController().signal

/** What a decision costs: recording one changed file, and going back, against the cost of starting one git. */
export async function measure(): Promise<Measurement[]> {
  return [...(await measureRepository(1_000)), ...(await measureRepository(10_000))]
}

async function measureRepository(files: number): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'))
  try {
    const projectRoot = makeProject(folder, files)
    const strategy = expectOk(openStrategy(folder))
    const start = performance.now()
    const sandbox = expectOk(await strategy.open({ planId, projectRoot }, never))
    const create = performance.now() - start
    const turns: Turn[] = []
    for (let turn = 0; turn < TURNS; turn++) turns.push(await takeTurn(sandbox, turn))
    const floor = {
      what: 'git --version',
      value: medianOf(turns, 'git'),
    }
    const write = {
      what: 'writing a file of 4 KB',
      value: medianOf(turns, 'write'),
    }
    const row = (what: string, key: 'named' | 'scanned' | 'drift' | 'restored'): Measurement => {
      return { what: `${what}, ${files} files`, value: medianOf(turns, key), unit: 'ms', floor }
    }
    return [
      {
        what: `create the sandbox, ${files} files`,
        value: create,
        unit: 'ms',
        floor: { ...write, value: write.value * files },
      },
      row('checkpoint of a named path', 'named'),
      row('checkpoint after a command', 'scanned'),
      {
        ...row('look for drift where there is none', 'drift'),
        floor: { what: 'checkpoint after a command', value: medianOf(turns, 'scanned') },
      },
      row('restore of one file', 'restored'),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function openStrategy(folder: string) {
  const host = createHost({ pid: process.pid, dataDir: folder })
  return createSandboxes({ stateDir: join(folder, 'state'), environment: process.env, host }).strategy(
    'git_worktree',
  )
}

type Turn = Record<'git' | 'write' | 'named' | 'scanned' | 'drift' | 'restored', number>

async function takeTurn(sandbox: Sandbox, turn: number): Promise<Turn> {
  const path = expectOk(relPathFromBytes(Buffer.from('d0/f0.txt')))
  const text = `turn ${turn}\n`.repeat(400)
  const git = await timed(() => spawnSync('git', ['--version']))
  const write = await timed(() => writeFileSync(join(sandbox.root, path), text))
  const named = await timed(async () => expectOk(await sandbox.checkpoint('named', [path])))
  writeFileSync(join(sandbox.root, path), `after a command, ${text}`)
  const scanned = await timed(async () => expectOk(await sandbox.checkpoint('scanned', 'unknown')))
  const recorded = expectOk(await sandbox.checkpoint('drift', []))
  const drift = await timed(async () => expectOk(await sandbox.drift(recorded, [])))
  const restored = await timed(async () => expectOk(await sandbox.restore(sandbox.baseline)))
  return { git, write, named, scanned, drift, restored }
}

function medianOf(turns: readonly Turn[], key: keyof Turn): number {
  return percentile(
    turns.map(turn => turn[key]),
    0.5,
  )
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function makeProject(folder: string, files: number): string {
  const root = join(folder, 'project')
  for (let number = 0; number < files; number++) {
    const place = join(root, `d${Math.floor(number / 12)}`)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `f${number % 12}.txt`), `file ${number}\n`.repeat(200))
  }
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...author, 'commit', '-q', '-m', 'Start'],
  ]) {
    const { status } = spawnSync('git', args, { cwd: root })
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed`)
  }
  return root
}

const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
