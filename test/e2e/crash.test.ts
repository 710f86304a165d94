import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { StepView } from '../../src/a2a/protocol/views/step.ts'
import { type BackendChild, processesOf, startBackendChild } from '../support/backend-child.ts'
import { readFiles } from '../support/read-files.ts'
import { makeRepository, type TestRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { workAction, workFiles, workResult } from '../support/work-action.ts'

type Point = (event: WireEvent) => boolean

const whileCommandRuns = began('builtin/run_command')

const points: Record<string, Point> = {
  'while a command runs': whileCommandRuns,
  'while the changes are applied': event =>
    event.method === '_cleveragents/step/started' && event.step.kind === 'apply',
}

const morePoints: Record<string, Point> = {
  'while the sandbox is made': event =>
    event.method === 'task/statusUpdate' && at(event.plan) === 'strategize/running',
  'when a decision was recorded': event =>
    event.method === '_cleveragents/decision/recorded' && event.decision.key === 'second',
  'when a writing step began': began('builtin/replace_text'),
  'when a command ended': event =>
    event.method === '_cleveragents/step/finished' && event.step.tool === 'builtin/run_command',
  'when the last step ended': event =>
    event.method === '_cleveragents/step/finished' && event.step.tool === 'builtin/edit_file',
  'while a gate waits': event =>
    event.method === '_cleveragents/gate/opened' && event.gate.flag === 'select_tool',
}

const isLong = process.env['LONG'] === '1'

describe('a backend killed hard', () => {
  for (const [name, isPoint] of Object.entries({ ...points, ...(isLong && morePoints) })) {
    it(`${name} loses nothing and repeats nothing`, async () => {
      const story = await begin('trusted')
      await story.runUntil(isPoint)
      await story.killAndGoOn()
    })
  }

  it('goes on by itself after a restart where the profile restores by itself', async () => {
    const story = await begin('full-auto')
    await story.runUntil(whileCommandRuns)
    const gates = await story.killAndGoOn()
    expect(gates).toEqual([])
  })
})

describe.runIf(isLong)('a campaign of kills after random times', () => {
  const random = seeded(20260728)
  for (let round = 1; round <= 40; round++) {
    const profile = round % 2 === 0 ? 'trusted' : 'full-auto'
    const afterMs = Math.floor(random() * 6_000)
    it(`loses nothing after ${afterMs} ms under ${profile} (round ${round})`, async () => {
      const story = await begin(profile)
      await story.runFor(afterMs)
      await story.killAndGoOn()
    })
  }
})

/** A plan in a backend of its own that gets a yes to every gate, until it is killed. */
async function begin(profile: string) {
  const dataDir = await temporaryFolder()
  const repository = await makeRepository({ files: workFiles })
  const child = startBackendChild(dataDir)
  await child.call('_cleveragents/action/create', { text: workAction('sleeps'), file: 'work.yaml' })
  const events: WireEvent[] = []
  const plan = await child.call('_cleveragents/plan/use', {
    action_name: 'work',
    folder: repository.root,
    automation_profile: profile,
  })
  return { runUntil, runFor, killAndGoOn: () => killAndGoOn(dataDir, repository, plan, child, events) }

  function runUntil(isPoint: (event: WireEvent) => boolean): Promise<void> {
    return new Promise(resolve => {
      child.follow(event => {
        events.push(event)
        if (isPoint(event)) {
          child.signal('SIGKILL')
          resolve()
        } else if (event.method === '_cleveragents/gate/opened') {
          void child.client.call('_cleveragents/plan/approve', {
            plan_id: plan.plan_id,
            gate_id: event.gate.gate_id,
          })
        }
      })
    })
  }

  async function runFor(ms: number): Promise<void> {
    const enough = AbortSignal.timeout(ms)
    await Promise.race([
      runUntil(() => false),
      new Promise(resolve => enough.addEventListener('abort', resolve)),
      waitFor(() =>
        events.some(event => event.method === 'task/statusUpdate' && event.plan.state === 'applied'),
      ),
    ])
    child.signal('SIGKILL')
  }
}

/** Starts a second backend, follows the plan to its end, and compares all that happened. Returns what it asked. */
async function killAndGoOn(
  dataDir: string,
  repository: TestRepository,
  plan: PlanView,
  killed: BackendChild,
  events: readonly WireEvent[],
): Promise<string[]> {
  await killed.closed
  const child = startBackendChild(dataDir)
  const asked: string[] = []
  let now = await settled(child, plan)
  while (now.state === 'awaiting_input' || now.state === 'paused') {
    const [gate] = now.gates
    if (gate) asked.push(gate.kind)
    if (gate?.kind === 'resume') expect(gate.subject['under_way'] ?? gate.question).toBeTruthy()
    now = gate
      ? await child.call('_cleveragents/plan/approve', {
          plan_id: plan.plan_id,
          gate_id: gate.gate_id,
          wait: true,
        })
      : await child.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
  }
  expect(at(now)).toBe('apply/applied')
  expect(await readFiles(repository.root)).toEqual(workResult)
  await expectNothingLost(child, plan, events)
  await child.close()
  await waitFor(async () => (await processesOf(dataDir)).length === 0)
  return asked.filter(kind => kind !== 'phase')
}

async function expectNothingLost(
  child: BackendChild,
  { plan_id }: PlanView,
  events: readonly WireEvent[],
): Promise<void> {
  const { decisions } = await child.call('_cleveragents/plan/tree', { plan_id, show_superseded: true })
  const seen = events.flatMap(event =>
    event.method === '_cleveragents/decision/recorded' ? [event.decision.decision_id] : [],
  )
  expect(decisions.map(decision => decision.decision_id)).toEqual(expect.arrayContaining(seen))
  expect(decisions.map(decision => decision.key).filter(key => key !== null)).toEqual([
    'how',
    'first',
    'second',
    'third',
  ])
  const { steps } = await child.call('_cleveragents/plan/steps', { plan_id })
  const finished = events.flatMap(event =>
    event.method === '_cleveragents/step/finished' && event.step.status === 'done' ? [endOf(event.step)] : [],
  )
  expect(steps.map(endOf)).toEqual(expect.arrayContaining(finished))
  expect(steps.map(step => [step.path, step.status])).toEqual([
    ['strategize[0]', 'done'],
    ['execute[1]', 'done'],
    ['execute[3]', 'done'],
    ['execute[5]', 'done'],
    ['execute[6]', 'done'],
    ...steps
      .filter(step => step.kind === 'apply')
      .map((step, index, all) => [step.path, index === all.length - 1 ? 'done' : 'interrupted']),
  ])
}

function settled(child: BackendChild, { plan_id }: PlanView): Promise<PlanView> {
  return child.call('_cleveragents/plan/status', { plan_id, wait: true })
}

function endOf({ step_id, ended_at }: StepView) {
  return { step_id, ended_at }
}

function began(tool: string) {
  return (event: WireEvent) => event.method === '_cleveragents/step/started' && event.step.tool === tool
}

function at(plan: { phase: string; state: string }): string {
  return `${plan.phase}/${plan.state}`
}

/** The same numbers in every run, so that a failure can be seen again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
