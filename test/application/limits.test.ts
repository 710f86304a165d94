import { describe, expect, it } from 'vitest'
import type { Params } from '../../src/a2a/protocol/methods.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { interruptSteps } from '../../src/application/plan/take-over.ts'
import type { Ports } from '../../src/application/ports.ts'
import { asId } from '../../src/domain/ids.ts'
import { startBackend } from '../support/backend.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

const isLong = process.env['LONG'] === '1'

/** Writes file after file, each for a price. */
const METERED = `
arguments:
  - {name: price, type: number, default: 0.3}
recipe:
  execute:
${[1, 2, 3, 4, 5].map(n => `    - tool: {name: builtin/write_file, with: {path: made${n}.txt, content: x}, cost_usd: "\${{ args.price }}"}\n`).join('')}`

const CHILD = `
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: a.txt}, cost_usd: 0.11}
`

describe('a budget', () => {
  it('stops a plan before the call that does not fit; what it did stays, and a person can raise it, on record', async () => {
    const bench = await benchWith({ 'local/metered': METERED })
    const stopped = await use(bench, 'local/metered', 'trusted', { max_cost: 1 })
    expect(whereabouts(stopped)).toBe('execute/awaiting_input budget -')
    expect(stopped.budget).toMatchObject({
      spent: 0.9,
      reserved: 0,
      limit: 1,
      source: 'plan',
      of: 'local/metered',
    })
    expect([stopped.cost.usd, stopped.changes?.files]).toEqual([0.9, 3])
    expect(stopped.limits.exceeded).toEqual({
      limit: 'budget',
      level: 'plan',
      of: 'local/metered',
      reason: 'The budget of plan local/metered has $0.10 left of $1.00; this call costs $0.30',
    })
    expect(stopped.gates[0]).toMatchObject({
      question: `${stopped.limits.exceeded?.reason}. Go on?`,
      subject: { kind: 'limit', limit: 'budget', used: 0.9, max: 1, wanted: 0.3, raise_to: 2 },
    })
    const done = await bench.approve(stopped, { option_id: 'raise' })
    expect(whereabouts(done)).toBe('execute/awaiting_input phase select_tool')
    expect(done.budget).toMatchObject({ spent: 1.5, reserved: 0, limit: 2, source: 'person' })
    expect([done.limits.exceeded, done.changes?.files]).toEqual([null, 5])
    const { events } = await bench.backend.call('_cleveragents/event/list', { plan_id: done.plan_id })
    expect(events.filter(each => each.method === '_cleveragents/limits/changed')).toMatchObject([
      { before: { tool_budget: 1 }, after: { tool_budget: 2 }, by: 'tester' },
    ])
    const charged = events.flatMap(each =>
      each.method === '_cleveragents/cost/charged' ? [each.plan_usd] : [],
    )
    expect(charged).toEqual([0.3, 0.6, 0.9, 1.2, 1.5])
  })

  it('ends a plan whose profile never asks, and it can be resumed once there is room', async () => {
    const bench = await benchWith({ 'local/metered': METERED })
    await set(bench, 'budget.session.max-cost', '0.5')
    const ended = await use(bench, 'local/metered', 'ci')
    expect([position(ended), ended.limits.exceeded]).toMatchObject([
      'execute/errored',
      { limit: 'budget', level: 'session' },
    ])
    await set(bench, 'budget.session.max-cost', 'none')
    const resumed = await bench.backend.call('_cleveragents/plan/resume', { ...ended, wait: true })
    expect([position(resumed), resumed.limits.exceeded, resumed.budget.spent]).toEqual([
      'apply/applied',
      null,
      1.5,
    ])
  })

  it('of a session stops its second plan, lets approvals in it expire, and goes on when the setting leaves room', async () => {
    const bench = await benchWith({ 'local/metered': METERED })
    await set(bench, 'budget.session.max-cost', '1.6')
    const first = await use(bench, 'local/metered', 'trusted', { session_id: 'together' })
    const parked = await use(bench, 'local/metered', 'supervised', { session_id: 'together' })
    expect([first, parked].map(whereabouts)).toEqual([
      'execute/awaiting_input phase select_tool',
      'strategize/awaiting_input phase create_tool',
    ])
    const second = await use(bench, 'local/metered', 'trusted', { session_id: 'together' })
    expect([whereabouts(second), second.limits.exceeded?.level]).toEqual([
      'execute/awaiting_input budget -',
      'session',
    ])
    // What is finished can still be applied; what would need money asks about the money.
    expect(whereabouts(await status(bench, first))).toBe('execute/awaiting_input phase select_tool')
    const expired = await status(bench, parked)
    expect([whereabouts(expired), expired.reason]).toEqual([
      'strategize/awaiting_input budget -',
      second.reason,
    ])
    expect(second.gates[0]?.options.map(each => each.id)).toEqual(['again', 'stop'])
    const still = await bench.approve(second, { option_id: 'again' })
    expect(whereabouts(still)).toBe('execute/awaiting_input budget -')
    await set(bench, 'budget.session.max-cost', '5')
    const done = await bench.approve(still, { option_id: 'again' })
    expect(whereabouts(done)).toBe('execute/awaiting_input phase select_tool')
    const asksAgain = await bench.backend.call('_cleveragents/plan/status', { ...parked, wait: true })
    expect(whereabouts(asksAgain)).toBe('strategize/awaiting_input phase create_tool')
  })

  it('of the organisation lets no new plan begin once it is spent', async () => {
    const bench = await benchWith({ 'local/metered': METERED })
    await set(bench, 'budget.org.max-cost', '0.9')
    const first = await use(bench, 'local/metered', 'trusted')
    expect(first.limits.exceeded).toMatchObject({ level: 'org', of: new Date().toISOString().slice(0, 7) })
    const wanted = { action_name: 'local/metered', folder: bench.repository.root }
    const refused = await bench.backend.refusal('_cleveragents/plan/use', wanted)
    expect(refused).toMatchObject({ errorType: 'budget_exceeded', code: -32006 })
    expect(refused.message).toContain('$0.90 of $0.90. No plan was made.')
  })

  it('of a profile is one for all plans under it, and no answer raises it', async () => {
    const capped = `safety_profile: {max_total_cost: 0.7, max_cost_per_plan: 0.5}\n${METERED}`
    const bench = await benchWith({ 'local/capped': capped })
    const first = await use(bench, 'local/capped', 'trusted', { max_cost: 9 })
    expect(first.limits.exceeded).toMatchObject({ level: 'plan' })
    expect(first.budget).toMatchObject({ spent: 0.3, limit: 0.5, source: 'profile' })
    expect(first.gates[0]?.options.map(each => each.id)).toEqual(['again', 'stop'])
    const second = await use(bench, 'local/capped', 'trusted')
    const third = await use(bench, 'local/capped', 'trusted')
    expect([second, third].map(each => each.limits.exceeded?.level)).toEqual(['plan', 'profile'])
    const stopped = await bench.reject(second)
    expect([position(stopped), stopped.reason]).toEqual(['execute/errored', second.reason])
  })
})

describe('a fan-out of twenty children with a budget of 1.00', () => {
  it('spends no more than that, and goes on with all that wait when it is raised once', async () => {
    const bench = await benchWith({ 'local/child': CHILD, 'local/fan': fanOut(20) })
    const stopped = await use(bench, 'local/fan', 'trusted', { max_cost: 1 })
    expect([stopped.budget.spent, stopped.budget.reserved]).toEqual([0.99, 0])
    expect(bench.backend.ports.store.ledger.spentBelow(asId(stopped.plan_id)).spentUsd).toBe(0.99)
    expect(new Set(stopped.gates.map(gate => gate.kind))).toEqual(new Set(['budget']))
    expect(stopped.gates).toHaveLength(11)
    const answer = { plan_id: stopped.plan_id, gate_id: stopped.gates[0]?.gate_id, option_id: 'raise' }
    await bench.backend.call('_cleveragents/plan/approve', answer)
    const twice = await bench.backend.call('_cleveragents/plan/status', { ...stopped, wait: true })
    expect([twice.budget.spent, twice.budget.limit, twice.budget.source]).toEqual([1.98, 2, 'person'])
    expect(twice.gates).toHaveLength(2)
  })

  it.runIf(isLong)(
    'spends no more with another backend on the same store, and ends where nobody is asked',
    async () => {
      const bench = await benchWith({ 'local/child': CHILD, 'local/fan': fanOut(10) })
      await set(bench, 'budget.session.max-cost', '1')
      const other = await startBackend({ dataDir: bench.backend.dataDir, pid: process.ppid })
      const wanted = {
        action_name: 'local/fan',
        automation_profile: 'ci',
        folder: bench.repository.root,
        session_id: 'both',
      }
      const plans = await Promise.all([bench.backend.use(wanted), other.use(wanted)])
      expect(plans.map(plan => plan.limits.exceeded?.level)).toEqual(['session', 'session'])
      expect(plans.map(position)).toEqual(['execute/errored', 'execute/errored'])
      const spent = plans.map(plan => bench.backend.ports.store.ledger.spentBelow(asId(plan.plan_id)))
      expect(Math.round(spent.reduce((sum, each) => sum + each.spentUsd + each.reservedUsd, 0) * 100)).toBe(
        99,
      )
    },
  )
})

describe('a plan', () => {
  it('takes no more steps and makes no more calls than it may, and each check is one entry of its audit', async () => {
    const bench = await benchWith({ 'local/metered': METERED })
    let plan = await use(bench, 'local/metered', 'trusted', { max_steps: 2, max_cost: 9 })
    expect([whereabouts(plan), plan.reason]).toEqual([
      'execute/awaiting_input budget -',
      'local/metered has taken all of its 2 steps',
    ])
    expect(plan.limits.steps).toEqual({ used: 3, max: 2, source: 'plan' })
    plan = await bench.approve(plan, { option_id: 'raise' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const { entries, metadata } = await audit(bench, plan)
    const told = entries.filter(each => each.event_type !== 'gate_passed')
    const counted = Object.groupBy(told, each => `${each.log} ${each.event_type}`)
    expect(Object.entries(counted).map(([type, found]) => [type, found?.length])).toEqual([
      ['guardrail step_allowed', 5],
      ['guardrail budget_allowed', 5],
      ['guardrail step_blocked', 1],
      ['plan gate_approve', 1],
      ['plan limits_changed', 1],
    ])
    expect(metadata.guardrail_audit_trail).toMatchObject({
      allowed_count: 10,
      denied_count: 1,
      evicted_count: 0,
    })
    expect(metadata.autonomy_guardrails).toMatchObject({
      max_steps: 10,
      tool_budget: 9,
      step_count: 5,
      budget_spent: 1.5,
    })
    const blocked = await audit(bench, plan, { result: 'denied', limit: 1 })
    expect(blocked.entries).toMatchObject([
      { event_type: 'step_blocked', guard_name: 'max_steps', context: { current_step: 3, max_steps: 2 } },
    ])
    await bench.backend.stop()
    const next = await startBackend({ dataDir: bench.backend.dataDir })
    const restored = await next.call('_cleveragents/plan/guard/audit', { plan_id: plan.plan_id })
    expect(restored).toEqual({ plan_id: plan.plan_id, entries, metadata })
  })

  it('runs no longer than it may, and waiting for a person takes no time', async () => {
    let ahead = 0
    const clock = { now: () => new Date(Date.now() + ahead).toISOString(), wait: async () => {} }
    const hours = (count: number) => {
      ahead += count * 3_600_000
    }
    const bench = await benchWith(
      { 'local/slow': SLOW },
      { clock, tools: whileRunning('builtin/list_files', () => hours(1)) },
    )
    const waits = await use(bench, 'local/slow', 'trusted', { max_seconds: 4_000 })
    expect(whereabouts(waits)).toBe('execute/awaiting_input ask -')
    hours(100)
    const stopped = await bench.approve(waits)
    expect([whereabouts(stopped), stopped.limits.exceeded?.limit]).toEqual([
      'execute/awaiting_input budget -',
      'wall_clock',
    ])
    expect(Math.floor(stopped.limits.seconds.used / 3_600)).toBe(2)
    const done = await bench.approve(stopped, { option_id: 'raise' })
    expect([position(done), done.limits.seconds.max]).toEqual(['apply/applied', expect.any(Number)])
  })

  it('asks before each operation that must be confirmed, and the answer is good for one call', async () => {
    const bench = await benchWith({ 'local/confirms': CONFIRMS })
    let plan = await use(bench, 'local/confirms', 'ci')
    expect(plan.gates[0]).toMatchObject({ kind: 'confirmation', subject: { tool: 'builtin/write_file' } })
    plan = await bench.approve(plan)
    expect(plan.gates[0]).toMatchObject({ kind: 'confirmation', subject: { input: { path: 'two.txt' } } })
    plan = await bench.reject(plan, 'not this')
    expect(plan.gates[0]?.question).toContain('A person did not confirm builtin/write_file: not this.')
    const { entries } = await audit(bench, plan)
    expect(entries.map(each => each.event_type).filter(type => type.startsWith('confirmation'))).toEqual([
      'confirmation_required',
      'confirmation_granted',
      'confirmation_required',
    ])
  })

  it('that only repeats itself is asked about, but not one that writes something new in between', async () => {
    const call = '    - tool: {name: builtin/list_files, with: {glob: "*"}}\n'
    const write = (n: number) =>
      `    - tool: {name: builtin/write_file, with: {path: n${n}.txt, content: x}}\n${call}`
    const bench = await benchWith({
      'local/loops': `recipe:\n  execute:\n${call.repeat(7)}`,
      'local/works': `recipe:\n  execute:\n${[1, 2, 3, 4, 5, 6].map(write).join('')}`,
    })
    const asked = await use(bench, 'local/loops', 'trusted')
    expect([whereabouts(asked), asked.gates[0]?.question]).toEqual([
      'execute/awaiting_input budget -',
      'builtin/list_files was called 5 times with the same arguments and the same result. Go on?',
    ])
    expect(position(await bench.approve(asked, { option_id: 'go_on' }))).toBe('apply/applied')
    expect(position(await use(bench, 'local/loops', 'ci'))).toBe('execute/errored')
    expect(position(await use(bench, 'local/works', 'ci'))).toBe('apply/applied')
  })
})

describe('what was reserved when a process died', () => {
  it('is settled for a call that had begun, and released for one that had not', async () => {
    const bench = await benchWith({ 'local/metered': METERED })
    const { store } = bench.backend.ports
    const plan = await use(bench, 'local/metered', 'trusted', { max_steps: 1 })
    const planId = asId<Parameters<typeof store.plans.find>[0]>(plan.plan_id)
    const stored = store.plans.find(planId)
    if (!stored) throw new Error('the plan is gone')
    const begun = store.steps.listByPlan(planId)[0]
    if (!begun) throw new Error('no step was taken')
    store.steps.update({ ...begun, status: 'started' })
    for (const stepKey of [begun.idempotencyKey, 'never began'])
      store.ledger.reserve({
        ...CHARGE,
        key: `${stepKey}:again`,
        stepKey,
        planId,
        sessionId: stored.contextId,
      })
    expect(store.ledger.spentBelow(planId)).toMatchObject({ spentUsd: 0.3, reservedUsd: 1 })
    store.transaction(() => interruptSteps(bench.backend.ports, stored))
    expect(store.ledger.spentBelow(planId)).toMatchObject({ spentUsd: 0.8, reservedUsd: 0 })
  })
})

const CHARGE = {
  profile: 'trusted',
  month: '2026-11',
  state: 'reserved',
  usd: 0.5,
  tokens: 0,
  basis: 'known',
} as const

const SLOW = `
recipe:
  execute:
    - tool: {name: builtin/list_files, with: {glob: "*"}}
    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}
    - tool: {name: builtin/list_files, with: {glob: "*.txt"}}
    - tool: {name: builtin/read_file, with: {path: a.txt}}
`

const CONFIRMS = `
guardrails: {required_confirmations: [builtin/write*]}
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: a.txt}}
    - tool: {name: builtin/write_file, with: {path: one.txt, content: x}}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: x}}
`

/** Something happens while a tool runs, e.g. time passes. */
function whileRunning(name: string, happens: () => void) {
  return (tools: Ports['tools']): Ports['tools'] => ({
    list: () => tools.list(),
    find: wanted => {
      const tool = tools.find(wanted)
      if (!tool || wanted !== name) return tool
      return {
        ...tool,
        run: (input, context) => {
          happens()
          return tool.run(input, context)
        },
      }
    },
  })
}

function audit(
  bench: Bench,
  { plan_id }: PlanView,
  more: Partial<Params<'_cleveragents/plan/guard/audit'>> = {},
) {
  return bench.backend.call('_cleveragents/plan/guard/audit', { plan_id, ...more })
}

function fanOut(children: number): string {
  const each = Array.from({ length: children }, (_, n) => `{action: local/child, as: c${n}}`)
  return `recipe:\n  execute:\n    - spawn: {parallel: [${each.join(', ')}], max_parallel: 20}\n`
}

async function benchWith(
  actions: Readonly<Record<string, string>>,
  options?: Parameters<typeof startBench>[1],
): Promise<Bench> {
  const bench = await startBench(undefined, options)
  for (const [name, yaml] of Object.entries(actions)) await bench.action(name, yaml)
  return bench
}

function use(
  bench: Bench,
  action_name: string,
  automation_profile: string,
  more: Partial<Params<'_cleveragents/plan/use'>> = {},
): Promise<PlanView> {
  return bench.backend.use({ action_name, automation_profile, folder: bench.repository.root, ...more })
}

function status(bench: Bench, { plan_id }: PlanView): Promise<PlanView> {
  return bench.backend.call('_cleveragents/plan/status', { plan_id })
}

function set(bench: Bench, key: string, value: string) {
  return bench.backend.call('_cleveragents/config/set', { key, value })
}
