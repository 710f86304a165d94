import { spawnSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanId } from '../../src/domain/ids.ts'
import type { Sandbox, SandboxState, SandboxStrategy } from '../../src/domain/sandbox/strategy.ts'
import {
  type BenchProject,
  benchPlan,
  benchSandboxes,
  git,
  measureProjects,
  pathOf,
  timed,
  writeSome,
} from '../support/bench-project.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { expectOk } from '../support/result.ts'

const CHANGED = [1, 10, 1_000]
const never = new AbortController().signal

/** What a decision costs: recording what changed, going back, and bringing it home, against what the disk and git cost. */
export function measure(): Promise<Measurement[]> {
  return measureProjects(measureProject)
}

async function measureProject({ folder, projectRoot, files }: BenchProject): Promise<Measurement[]> {
  const floors = measureFloors(folder)
  const strategy = expectOk(benchSandboxes(folder).strategy('git_worktree'))
  const spec = { planId: benchPlan(1), projectRoot }
  const made = await timed(async () => expectOk(await strategy.open(spec, never)))
  const worktree = await timed(() =>
    git(projectRoot, 'worktree', 'add', '-q', '--detach', join(folder, 'linked')),
  )
  const floor = { what: 'git worktree add', value: worktree }
  const rows = [row(`create the sandbox, ${files} files`, made, floor, 1.3 * worktree + 1_000)]
  rows.push(await measureOpening(strategy, spec, files, floors))
  for (const changed of CHANGED.filter(each => each < files))
    rows.push(...(await measureChanges(strategy, spec, { files, changed, floors })))
  return rows
}

interface Floors {
  readonly spawn: number
  readonly write: number
  readonly flush: number
}

async function measureOpening(
  strategy: SandboxStrategy,
  spec: { planId: PlanId; projectRoot: string },
  files: number,
  floors: Floors,
): Promise<Measurement> {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++)
    times.push(await timed(async () => expectOk(await strategy.open(spec, never))))
  return row(`open it again, ${files} files`, median(times), spawnFloor(floors), null)
}

interface Amount {
  readonly files: number
  readonly changed: number
  readonly floors: Floors
}

async function measureChanges(
  strategy: SandboxStrategy,
  spec: { planId: PlanId; projectRoot: string },
  { files, changed, floors }: Amount,
): Promise<Measurement[]> {
  const sandbox = expectOk(await strategy.open(spec, never))
  const turns: Turn[] = []
  let applied = sandbox.baseline
  for (let turn = 0; turn < (changed === 1_000 ? 3 : 7); turn++) {
    const taken = await takeTurn(sandbox, { turn, changed, applied })
    applied = taken.applied
    turns.push(taken.times)
  }
  await sandbox.close()
  const of = (key: keyof Turn) => median(turns.map(turn => turn[key]))
  const writes = { what: `a copy of ${changed} old contents`, value: changed * floors.write }
  const known = 6 * floors.spawn + 8 * changed * floors.write + 0.006 * files
  const found = known + 0.025 * files
  const back = 2 * floors.spawn + 4 * changed * floors.write + (0.003 + 0.025) * files
  const home = 20 * floors.spawn + of('scanned') + 12 * changed * floors.write + 2 * changed * floors.flush
  const title = `${changed} of ${files} files`
  return [
    row(`checkpoint, paths known, ${title}`, of('named'), writes, known),
    row(`checkpoint after a command, ${title}`, of('scanned'), spawnFloor(floors), found),
    row(`list the changes, ${title}`, of('listed'), spawnFloor(floors), null),
    row(`look for drift where there is none, ${title}`, of('drift'), spawnFloor(floors), null),
    row(`preview a restore, ${title}`, of('previewed'), spawnFloor(floors), null),
    row(`restore, ${title}`, of('restored'), spawnFloor(floors), back),
    row(`apply, ${title}`, of('applied'), spawnFloor(floors), home),
  ]
}

function row(what: string, value: number, floor: Measurement['floor'], budget: number | null): Measurement {
  const beside =
    budget === null ? '' : `; budget ${budget.toFixed(0)} ms, used ${((100 * value) / budget).toFixed(0)} %`
  return { what: `${what}${beside}`, value, unit: 'ms', floor }
}

function spawnFloor({ spawn }: Floors) {
  return { what: 'git --version', value: spawn }
}

type Turn = Record<'named' | 'scanned' | 'listed' | 'drift' | 'previewed' | 'restored' | 'applied', number>

async function takeTurn(
  sandbox: Sandbox,
  { turn, changed, applied }: { turn: number; changed: number; applied: SandboxState },
): Promise<{ times: Turn; applied: SandboxState }> {
  const paths = Array.from({ length: changed }, (_, number) => pathOf(number))
  const edit = (text: string) => writeSome(sandbox.root, changed, number => `${text} ${number}\n`.repeat(100))
  const about = { scope: { kind: 'all' }, since: new Date().toISOString() } as const
  edit(`known ${turn}`)
  const named = await timed(async () => expectOk(await sandbox.checkpoint('named', paths)))
  edit(`command ${turn}`)
  const scanned = await timed(async () => expectOk(await sandbox.checkpoint('scanned', 'unknown')))
  const state = expectOk(await sandbox.checkpoint('again', []))
  const listed = await timed(async () => expectOk(await sandbox.changes(sandbox.baseline, state)))
  const drift = await timed(async () => expectOk(await sandbox.drift(state, [])))
  const previewed = await timed(async () => expectOk(await sandbox.previewRestore(sandbox.baseline, about)))
  const restored = await timed(async () => expectOk(await sandbox.restore(sandbox.baseline)))
  const request = { from: applied, to: state, choice: { kind: 'all' } } as const
  const home = await timed(async () => expectOk(await sandbox.apply(request, never)))
  return { times: { named, scanned, listed, drift, previewed, restored, applied: home }, applied: state }
}

function measureFloors(folder: string): Floors {
  const text = 'x'.repeat(4_096)
  const spawn: number[] = []
  const write: number[] = []
  const flush: number[] = []
  for (let turn = 0; turn < 15; turn++) {
    spawn.push(timedNow(() => spawnSync('git', ['--version'])))
    write.push(timedNow(() => writeFileSync(join(folder, `floor-${turn}`), text)))
    flush.push(timedNow(() => writeFlushed(join(folder, `flushed-${turn}`), text)))
  }
  return { spawn: median(spawn), write: median(write), flush: median(flush) }
}

function writeFlushed(file: string, text: string): void {
  const handle = openSync(file, 'w')
  writeSync(handle, text)
  fsyncSync(handle)
  closeSync(handle)
}

function median(samples: readonly number[]): number {
  return percentile(samples, 0.5)
}

function timedNow(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
