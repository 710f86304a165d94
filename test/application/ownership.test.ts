import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'
import { makeRepository } from '../support/repository.ts'
import { waitFor } from '../support/wait-for.ts'
import { commandRuns, letItEnd, sandboxRoot, workAction, workFiles } from '../support/work-action.ts'

describe('two backends on one store', () => {
  it('see every event once and in order, whichever of them runs the plan', async () => {
    const { here, there, use } = await twoBackends('auto', 'sleeps')
    const seen = [follow(here), follow(there)]
    const plan = await use()
    const applied = await there.call('_cleveragents/plan/approve', { plan_id: plan.plan_id, wait: true })
    expect(position(applied)).toBe('apply/applied')
    const last = here.ports.store.events.lastSeq()
    await waitFor(() => seen.every(numbers => numbers.at(-1) === last))
    const all = Array.from(
      { length: last - (seen[0]?.[0] ?? 0) + 1 },
      (_, index) => (seen[0]?.[0] ?? 0) + index,
    )
    expect(seen).toEqual([all, all])
  })

  it('let the one that answers a gate run on, and the other one wait for the end', async () => {
    const { here, there, use } = await twoBackends('supervised', 'sleeps')
    const plan = await use()
    expect(position(plan)).toBe('strategize/awaiting_input')
    const asked = await there.call('_cleveragents/plan/approve', { plan_id: plan.plan_id })
    const [mine, theirs] = await Promise.all([
      here.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true }),
      there.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true }),
    ])
    expect(asked.runner?.pid).toBe(there.ports.host.process.pid)
    expect(mine.gates).toEqual(theirs.gates)
    expect(position(mine)).toBe('execute/awaiting_input')
  })

  it('take exactly one of two answers given at the same moment', async () => {
    const { here, there, use } = await twoBackends('supervised', 'sleeps')
    const plan = await use()
    const answer = { plan_id: plan.plan_id, gate_id: plan.gates[0]?.gate_id ?? '' }
    const answers = await Promise.all(
      [here, there].map(backend => backend.client.call('_cleveragents/plan/approve', answer)),
    )
    expect(answers.filter(each => each.ok)).toHaveLength(1)
    expect(answers.flatMap(each => (each.ok ? [] : [each.failure.errorType]))).toEqual(['stale_answer'])
  })

  it('can use an action on one repository at once', async () => {
    const { here, there, params } = await twoBackends('auto', 'sleeps')
    const plans = await Promise.all([here.use(params), there.use(params)])
    expect(plans.map(position)).toEqual(['execute/awaiting_input', 'execute/awaiting_input'])
    expect(plans.map(plan => plan.name).sort()).toEqual(['local/work', 'local/work-2'])
  })
})

describe('a process that does not run the plan', () => {
  it('pauses it at the end of the step, and resumes it', async () => {
    const { there, plan, root } = await midCommand()
    const pausing = there.call('_cleveragents/plan/pause', { plan_id: plan.plan_id })
    await letItEnd(root)
    expect(position(await pausing)).toBe('execute/paused')
    const { steps } = await there.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    expect(steps.at(-1)).toMatchObject({ tool: 'builtin/run_command', status: 'done' })
    const ended = await there.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    expect(position(ended)).toBe('execute/awaiting_input')
  })

  it('interrupts its step and makes it ask, whatever the profile', async () => {
    const { there, plan } = await midCommand()
    const asked = await there.call('_cleveragents/plan/interrupt', { plan_id: plan.plan_id })
    expect([position(asked), asked.gates.map(gate => gate.kind)]).toEqual([
      'execute/awaiting_input',
      ['resume'],
    ])
    expect(asked.gates[0]?.question).toContain('builtin/run_command')
    const { steps } = await there.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    expect(steps.at(-1)).toMatchObject({ tool: 'builtin/run_command', status: 'interrupted' })
  })

  it('cancels it, which ends the running step, and may do so again', async () => {
    const { here, there, plan } = await midCommand()
    const cancelled = await there.call('_cleveragents/plan/cancel', {
      plan_id: plan.plan_id,
      reason: 'enough',
    })
    expect([position(cancelled), cancelled.reason]).toEqual(['execute/cancelled', 'enough'])
    await waitFor(
      async () => (await there.call('_cleveragents/plan/status', { plan_id: plan.plan_id })).runner === null,
    )
    const { steps } = await here.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    expect(steps.at(-1)).toMatchObject({ tool: 'builtin/run_command', status: 'interrupted' })
    expect(await there.call('_cleveragents/plan/cancel', { plan_id: plan.plan_id })).toMatchObject({
      reason: 'enough',
    })
  })

  it('corrects a decision and runs on itself', async () => {
    const { there, plan } = await midCommand()
    await there.call('_cleveragents/plan/correct', {
      plan_id: plan.plan_id,
      decision_id: '#4',
      mode: 'revert',
      guidance: 'run',
    })
    const running = await waitFor(async () => {
      const now = await there.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
      return now.runner?.pid === there.ports.host.process.pid && now
    })
    expect([position(running), running.attempt]).toEqual(['execute/running', 2])
  })

  it('rolls it back and asks how to go on', async () => {
    const { there, plan } = await midCommand()
    const { plan: after } = await there.call('_cleveragents/plan/rollback', { plan_id: plan.plan_id })
    expect([position(after), after.gates.map(gate => gate.kind)]).toEqual([
      'execute/awaiting_input',
      ['resume'],
    ])
  })
})

describe('the lease of a plan', () => {
  it('belongs to one process for ever, also when its number is given to another', async () => {
    const { there, plan, here } = await midCommand()
    const { pid } = here.ports.host.process
    there.ports.store.leases.put(leaseOf(plan, { pid, startedAt: 'boot:0' }))
    expect((await there.call('_cleveragents/plan/status', { plan_id: plan.plan_id })).runner).toBeNull()
  })

  it('is never taken from a living process', async () => {
    const { there, plan, here } = await midCommand()
    await there.call('_cleveragents/plan/resume', { plan_id: plan.plan_id })
    const now = await there.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
    expect([position(now), now.runner?.pid]).toEqual(['execute/running', here.ports.host.process.pid])
  })
})

function leaseOf(plan: PlanView, holder: { pid: number; startedAt: string }) {
  const at = new Date().toISOString()
  return { planId: asId<PlanId>(plan.plan_id), holder, takenAt: at, heartbeatAt: at }
}

/** Two backends that take each other for other processes: each runs under the identity of a process that lives. */
async function twoBackends(profile: string, command: Parameters<typeof workAction>[0]) {
  const here = await startBackend({ pid: livingProcess() })
  const there = await startBackend({ dataDir: here.dataDir })
  await here.call('_cleveragents/action/create', { text: workAction(command), file: 'work.yaml' })
  const repository = await makeRepository({ files: workFiles })
  const params = { action_name: 'work', folder: repository.root, automation_profile: profile }
  return { here, there, repository, params, use: () => here.use(params) }
}

/** A plan whose command runs in `here`. */
async function midCommand() {
  const { here, there, repository, params } = await twoBackends('auto', 'waits')
  const plan = await here.call('_cleveragents/plan/use', params)
  const root = sandboxRoot(here.dataDir, plan.plan_id, repository.root)
  await waitFor(() => commandRuns(root))
  return { here, there, plan, root }
}

function livingProcess(): number {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child.pid ?? 0
}

function follow(backend: TestBackend): number[] {
  const numbers: number[] = []
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  void backend.client.subscribe({
    afterSeq: 0,
    signal: ending.signal,
    onEvent: event => numbers.push(event.seq),
  })
  return numbers
}

function position(plan: { phase: string; state: string }): string {
  return `${plan.phase}/${plan.state}`
}
