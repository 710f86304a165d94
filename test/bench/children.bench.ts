import { join } from 'node:path'
import type { SandboxState } from '../../src/domain/sandbox/strategy.ts'
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
import type { Measurement } from '../support/measurement.ts'
import { expectOk } from '../support/result.ts'

const never = new AbortController().signal
const REPLAYS = 20

/** What a child costs that begins from its parent, what merging it costs, and what keeping later work costs. */
export function measure(): Promise<Measurement[]> {
  return measureProjects(measureProject)
}

async function measureProject({ folder, projectRoot, files }: BenchProject): Promise<Measurement[]> {
  const strategy = expectOk(benchSandboxes(folder).strategy('git_worktree'))
  const spec = { planId: benchPlan(1), projectRoot }
  const plain = await timed(async () => expectOk(await strategy.open(spec, never)))
  const parent = expectOk(await strategy.open(spec, never))
  const states: SandboxState[] = []
  for (let number = 0; number <= REPLAYS; number++) {
    const path = pathOf(number)
    writeSome(parent.root, number + 1, each => `changed ${Math.min(each, number)}\n`.repeat(200))
    states.push(expectOk(await parent.checkpoint('work', [path])))
  }
  const [state = parent.baseline] = states
  const child = { ...spec, planId: benchPlan(2), startsFrom: { planId: spec.planId, state } }
  const began = await timed(async () => expectOk(await strategy.open(child, never)))
  const opened = expectOk(await strategy.open(child, never))
  writeSome(opened.root, 1, () => 'child\n')
  const to = expectOk(await opened.checkpoint('work', [pathOf(0)]))
  const source = { planId: child.planId, from: opened.baseline, to }
  const laid = await timed(async () => expectOk(await parent.merge(source, never)))
  const replays = await timed(async () => {
    let onto = parent.baseline
    for (const [at, end] of states.slice(1).entries()) {
      const report = expectOk(await parent.replay(onto, { from: states[at] ?? end, to: end }))
      if (report.outcome === 'merged') onto = report.state
    }
  })
  const worktree = await timed(() =>
    git(projectRoot, 'worktree', 'add', '-q', '--detach', join(folder, 'linked')),
  )
  const floor = { what: 'git worktree add', value: worktree }
  const spawn = { what: 'git --version', value: await timed(() => git(projectRoot, '--version')) }
  const row = (what: string, value: number, under: Measurement['floor']): Measurement => ({
    what: `${what}, ${files} files`,
    value,
    unit: 'ms',
    floor: under,
  })
  return [
    row('create the sandbox of a plan', plain, floor),
    row('create the sandbox of its child', began, floor),
    row('merge what the child did', laid, spawn),
    row('lay work of one decision on another state', replays / REPLAYS, spawn),
  ]
}
