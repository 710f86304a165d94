import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox, SandboxStrategyName } from '../../src/domain/sandbox/strategy.ts'
import {
  type BenchProject,
  benchPlan,
  benchSandboxes,
  measureProjects,
  timed,
  writeSome,
} from '../support/bench-project.ts'
import { type Measurement, percentile } from '../support/measurement.ts'
import { expectOk } from '../support/result.ts'

const CHANGED = [1, 10, 1_000]
const TURNS = 5
const never = new AbortController().signal

/** An overlay beside the sandbox that is a copy: making it, recording what a command changed, and going back. */
export function measure(): Promise<Measurement[]> {
  return measureProjects(measureProject)
}

async function measureProject(project: BenchProject): Promise<Measurement[]> {
  const overlay = await open(project, 'overlay', 1)
  if (overlay === null) return []
  const copy = await open(project, 'git_worktree', 2)
  const rows: Measurement[] = [
    {
      what: `create and enter, ${project.files} files`,
      value: overlay.ms,
      unit: 'ms',
      floor: { what: 'git_worktree', value: copy?.ms ?? 0 },
    },
  ]
  for (const changed of CHANGED) rows.push(...(await measureChanges(overlay.sandbox, project, changed)))
  await overlay.sandbox.close()
  return rows
}

async function open(
  { folder, projectRoot }: BenchProject,
  name: SandboxStrategyName,
  number: number,
): Promise<{ sandbox: Sandbox; ms: number } | null> {
  const strategy = expectOk(benchSandboxes(folder).strategy(name))
  const spec = { planId: benchPlan(number), projectRoot }
  // Asked once a boot; the answer is kept.
  if (await strategy.unavailable(spec, never)) return null
  const start = performance.now()
  const sandbox = expectOk(await strategy.open(spec, never))
  expectOk(await sandbox.enter())
  return { sandbox, ms: performance.now() - start }
}

async function measureChanges(
  sandbox: Sandbox,
  { folder, files }: BenchProject,
  changed: number,
): Promise<Measurement[]> {
  const samples: Record<'walk' | 'write' | 'recorded' | 'restored', number[]> = {
    walk: [],
    write: [],
    recorded: [],
    restored: [],
  }
  for (let turn = 0; turn < TURNS; turn++) {
    const text = (number: number) => `${number} turn ${turn}\n`.repeat(400)
    writeSome(sandbox.root, changed, text)
    const upper = join(folder, 'state', 'plans', benchPlan(1), 'upper')
    samples.walk.push(await timed(() => walk(upper)))
    samples.write.push(await timed(() => writeSome(join(folder, 'floor'), changed, text)))
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

function walk(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (lstatSync(path).isDirectory()) walk(path)
  }
}
