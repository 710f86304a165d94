import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import type { Sandbox, SandboxStrategyName } from '../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../src/infrastructure/system/host.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { expectOk } from '../support/result.ts'

const SIZES = (process.env['BENCH_FILES'] ?? '1000,10000').split(',').map(Number)
const CHANGED = [1, 10, 200]
const TURNS = 5
const never = new AbortController().signal

/** An overlay beside the sandbox that is a copy: making it, recording what a command changed, and going back. */
export async function measure(): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const files of SIZES) rows.push(...(await measureProject(files)))
  return rows
}

async function measureProject(files: number): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agents-bench-'))
  try {
    const projectRoot = makeProject(folder, files)
    const overlay = await open(folder, projectRoot, { name: 'overlay', number: 1 })
    if (overlay === null) return []
    const copy = await open(folder, projectRoot, { name: 'git_worktree', number: 2 })
    const rows: Measurement[] = [
      {
        what: `create and enter, ${files} files`,
        value: overlay.ms,
        unit: 'ms',
        floor: { what: 'git_worktree', value: copy?.ms ?? 0 },
      },
    ]
    for (const changed of CHANGED)
      rows.push(...(await measureChanges(overlay.sandbox, folder, files, changed)))
    await overlay.sandbox.close()
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function open(
  folder: string,
  projectRoot: string,
  { name, number }: { name: SandboxStrategyName; number: number },
): Promise<{ sandbox: Sandbox; ms: number } | null> {
  const stateDir = join(folder, 'state')
  const host = createHost({ pid: process.pid, dataDir: folder })
  const strategy = expectOk(createSandboxes({ stateDir, environment: process.env, host }).strategy(name))
  const spec = { planId: asId<PlanId>(`01JZZZZZZZZZZZZZZZZZZZZZZ${number}`), projectRoot }
  // Asked once a boot; the answer is kept.
  if (await strategy.unavailable(spec, never)) return null
  const start = performance.now()
  const sandbox = expectOk(await strategy.open(spec, never))
  expectOk(await sandbox.enter())
  return { sandbox, ms: performance.now() - start }
}

async function measureChanges(
  sandbox: Sandbox,
  folder: string,
  files: number,
  changed: number,
): Promise<Measurement[]> {
  const samples: Record<'walk' | 'write' | 'recorded' | 'restored', number[]> = {
    walk: [],
    write: [],
    recorded: [],
    restored: [],
  }
  for (let turn = 0; turn < TURNS; turn++) {
    change(sandbox.root, changed, `turn ${turn}\n`.repeat(400))
    const upper = join(folder, 'state', 'plans', '01JZZZZZZZZZZZZZZZZZZZZZZ1', 'upper')
    samples.walk.push(await timed(() => walk(upper)))
    samples.write.push(
      await timed(() => change(join(folder, 'floor'), changed, `turn ${turn}\n`.repeat(400))),
    )
    samples.recorded.push(await timed(async () => expectOk(await sandbox.checkpoint('command', 'unknown'))))
    samples.restored.push(await timed(async () => expectOk(await sandbox.restore(sandbox.baseline))))
  }
  const half = (name: keyof typeof samples) => percentile(samples[name], 0.5)
  const about = `${changed} of ${files} files`
  return [
    {
      what: `checkpoint after a command, ${about}`,
      value: half('recorded'),
      unit: 'ms',
      floor: {
        what: 'walk of the upper layer and writing as many files',
        value: half('walk') + half('write'),
      },
    },
    {
      what: `restore, ${about}`,
      value: half('restored'),
      unit: 'ms',
      floor: { what: 'writing as many files', value: half('write') },
    },
  ]
}

function change(root: string, count: number, text: string): void {
  for (let number = 0; number < count; number++) {
    mkdirSync(join(root, `d${Math.floor(number / 12)}`), { recursive: true })
    writeFileSync(join(root, `d${Math.floor(number / 12)}`, `f${number % 12}.txt`), `${number} ${text}`)
  }
}

function walk(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (lstatSync(path).isDirectory()) walk(path)
  }
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function makeProject(folder: string, files: number): string {
  const root = join(folder, 'project')
  change(root, files, 'start\n'.repeat(200))
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'Start'],
  ]) {
    const { status } = spawnSync('git', args, { cwd: root })
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed`)
  }
  return root
}
