import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { PlanId } from '../../src/domain/ids.ts'
import { builtInProfiles } from '../../src/domain/profile/built-in.ts'
import type { Guards } from '../../src/domain/profile/profile.ts'
import { type Bench, patchOf, startBench, whereabouts } from '../support/purpose-made.ts'

const none: Guards = {
  maxToolCallsPerStep: null,
  maxTotalCost: null,
  toolAllowlist: null,
  toolDenylist: null,
  requireApprovalForWrites: false,
  requireApprovalForApply: false,
}

/** A plan that goes on by itself from here, as under `ci`, but for these guards. */
async function startUnder(
  { backend, ...bench }: Bench,
  action: string,
  guards: Partial<Guards>,
  safety: { readonly requireHumanApproval?: boolean } = {},
): Promise<PlanView> {
  const waiting = await bench.start(action, 'manual')
  const { plans } = backend.ports.store
  const plan = plans.find(waiting.plan_id as PlanId)
  const ci = builtInProfiles.find(({ name }) => name === 'ci')
  if (!plan || !ci) throw new Error('no plan under ci')
  const profile = { ...ci, safety: { ...ci.safety, ...safety }, guards: { ...none, ...guards } }
  plans.update({ ...plan, profile })
  return bench.approve(waiting)
}

const made = (bench: Bench) => existsSync(join(bench.repository.root, 'made.txt'))

const WRITES_AND_RUNS = `recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: made.txt, content: made}}
    - tool: {name: builtin/run_command, with: {command: "echo a && touch ran.txt", cwd: "."}}
`

describe('a guard before a call', () => {
  it('keeps a denied tool from ever running, and tells the actor what a person said', async () => {
    const bench = await startBench()
    await bench.action('local/make', WRITES_AND_RUNS)
    const asked = await startUnder(bench, 'local/make', { toolDenylist: ['builtin/write_file'] })
    expect(whereabouts(asked)).toBe('execute/awaiting_input guard -')
    const [gate] = asked.gates
    expect(gate?.reason).toContain('builtin/write_file is on the denylist')
    expect(gate?.reason).toContain('(scope PLAN)')
    const told = await bench.reject(asked, 'not this one')
    expect(told.gates[0]?.subject).toMatchObject({
      message: expect.stringContaining('a person did not let it through: not this one'),
    })
    expect((await bench.reject(told)).state).toBe('errored')
    expect(await patchOf(bench, told)).toBe('')
    expect(made(bench)).toBe(false)
    const { events } = await bench.backend.call('_cleveragents/event/list', { plan_id: asked.plan_id })
    const stops = events.filter(event => event.method === '_cleveragents/guard/stopped')
    expect(stops).toMatchObject([{ guard: 'denylist', tool: 'builtin/write_file', gate_id: gate?.gate_id }])
  })

  it('shows the whole command with the part that it is about, and an approval is for that call alone', async () => {
    const bench = await startBench()
    await bench.action(
      'local/twice',
      `recipe:
  execute:
    - tool: {name: builtin/run_command, with: {command: "echo a && touch ran.txt"}}
    - tool: {name: builtin/run_command, with: {command: "touch ran.txt"}}
`,
    )
    const guards = { toolDenylist: ['run_command(touch *)'] }
    const first = await startUnder(bench, 'local/twice', guards, { requireHumanApproval: true })
    expect(whereabouts(first)).toBe('execute/awaiting_input guard -')
    expect(first.gates[0]?.subject).toMatchObject({
      kind: 'guard',
      guard: 'denylist',
      command: 'echo a && touch ran.txt',
      folder: bench.repository.root,
      marked: [{ start: 10, end: 23, text: 'touch ran.txt' }],
    })
    const refused = await bench.backend.refusal('_cleveragents/plan/approve', {
      plan_id: first.plan_id,
      grant: 'plan',
    })
    expect(refused.message).toContain('takes no standing approval')
    const second = await bench.approve(first)
    expect(second.gates[0]?.subject).toMatchObject({ command: 'touch ran.txt' })
    expect((await bench.approve(second)).state).toBe('applied')
  })

  it('counts the calls of one step, and asks about a check and the set-up step as about any call', async () => {
    const bench = await startBench()
    const project = bench.repository.root
    await bench.backend.call('_cleveragents/project/set-up', { project, command: 'true' })
    await bench.backend.call('_cleveragents/project/trust', { project })
    await bench.action(
      'local/loop',
      `recipe:
  execute:
    - for_each: {over: "\${{ ['a.txt', 'b.txt'] }}", as: file, steps: [{tool: {name: builtin/read_file, with: {path: "\${{ file }}"}}}]}
    - tool: {name: builtin/read_file, with: {path: a.txt}}
    - validate: {command: "true"}
`,
    )
    const looping = await startUnder(bench, 'local/loop', {
      maxToolCallsPerStep: 1,
      toolDenylist: ['run_command(true)'],
    })
    expect(looping.gates[0]?.reason).toContain('1/1 tool calls of this step are used')
    const setUp = await bench.approve(looping)
    expect(setUp.gates[0]?.reason).toContain('by the denylist')
    const check = await bench.approve(setUp)
    expect(check.gates[0]?.gate_id).not.toBe(setUp.gates[0]?.gate_id)
    expect(check.gates[0]?.reason).toContain('by the denylist')
    expect((await bench.approve(check)).state).toBe('applied')
  })
})

describe('a guard before Apply', () => {
  it('asks although every threshold passes, and what it was asked is what is applied', async () => {
    const bench = await startBench()
    await bench.action('local/make', WRITES_AND_RUNS)
    const asked = await startUnder(bench, 'local/make', { requireApprovalForApply: true })
    expect(whereabouts(asked)).toBe('execute/awaiting_input guard select_tool')
    expect(asked.gates[0]?.reason).toBe('Apply needs the approval of a person (scope PLAN)')
    expect(made(bench)).toBe(false)
    const applied = await bench.backend.call('_cleveragents/plan/apply', {
      plan_id: asked.plan_id,
      wait: true,
    })
    expect(applied.state).toBe('applied')
    expect(made(bench)).toBe(true)
  })

  it('holds after the question before Apply was answered too, and what a person said to it counts', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/make', WRITES_AND_RUNS)
    const { plan_id } = await bench.start('local/make', 'auto')
    await backend.call('_cleveragents/plan/guard/denylist/add', { plan_id, entries: ['plan/apply'] })
    const asked = await backend.call('_cleveragents/plan/apply', { plan_id, wait: true })
    expect(whereabouts(asked)).toBe('apply/awaiting_input confirmation -')
    expect(asked.gates[0]?.reason).toContain('plan/apply is on the denylist')
    expect((await bench.reject(asked, 'not yet')).state).toBe('errored')
    const again = await backend.call('_cleveragents/plan/resume', { plan_id, wait: true })
    expect(whereabouts(again)).toBe('apply/awaiting_input confirmation -')
    expect(made(bench)).toBe(false)
    expect((await bench.approve(again)).state).toBe('applied')
    expect(made(bench)).toBe(true)
  })
})

const FAMILY = `recipe:
  execute:
    - spawn: {action: local/make, as: one}
`

describe('the guards of a child', () => {
  it('are its own and those of its parent as they are now, and name their scope', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/make', WRITES_AND_RUNS)
    await bench.action('local/family', FAMILY)
    const asked = await startUnder(bench, 'local/family', { toolDenylist: ['builtin/write_file'] })
    const gate = asked.gates.find(({ kind }) => kind === 'guard')
    expect(gate?.reason).toContain('(scope SUBPLAN)')
    const parent = { plan_id: asked.plan_id }
    await backend.call('_cleveragents/plan/guard/denylist/add', {
      ...parent,
      entries: ['run_command(touch *)'],
    })
    const child = { plan_id: gate?.plan_id ?? '' }
    const held = await backend.call('_cleveragents/plan/guard/show', child)
    expect(held).toMatchObject({
      scope: 'SUBPLAN',
      tool_denylist: [
        { entry: 'builtin/write_file', source: 'parent' },
        { entry: 'run_command(touch *)', source: 'parent' },
      ],
    })
    const refused = await backend.refusal('_cleveragents/plan/guard/denylist/remove', {
      ...child,
      entries: ['builtin/write_file'],
      reason: 'wanted',
    })
    expect(refused.message).toContain('take it off there')
    const next = await bench.approve(asked)
    expect(next.gates[0]?.subject).toMatchObject({ marked: [{ text: 'touch ran.txt' }] })
    expect((await bench.approve(next)).state).toBe('applied')
    expect(made(bench)).toBe(true)
  })
})

describe('changing the guards of a plan', () => {
  it('is free to tighten, needs a reason to loosen, and is on record with who and why', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/make', WRITES_AND_RUNS)
    const asked = await startUnder(bench, 'local/make', { toolDenylist: ['write_file'], maxTotalCost: 1 })
    const plan = { plan_id: asked.plan_id }
    const tightened = await backend.call('_cleveragents/plan/guard/set', { ...plan, max_total_cost: 0.5 })
    expect(tightened.max_total_cost).toEqual({ value: 0.5, source: 'plan' })
    expect(tightened.loosened).toEqual([])
    const refused = await backend.refusal('_cleveragents/plan/guard/set', { ...plan, max_total_cost: 5 })
    expect(refused).toMatchObject({ errorType: 'invalid_input' })
    expect(refused.message).toContain('max_total_cost goes from 0.5 to 5')
    const loosened = await backend.call('_cleveragents/plan/guard/denylist/remove', {
      ...plan,
      entries: ['write_file'],
      reason: 'it may write here',
    })
    expect(loosened.tool_denylist).toEqual([])
    const dry = await backend.call('_cleveragents/plan/guard/set', {
      ...plan,
      max_total_cost: null,
      dry_run: true,
    })
    expect(dry.loosened).toEqual(['max_total_cost goes from 0.5 to no limit'])
    const unknown = await backend.refusal('_cleveragents/plan/guard/denylist/remove', {
      ...plan,
      entries: ['x'],
      reason: 'y',
    })
    expect(unknown.errorType).toBe('not_found')
    const { events } = await backend.call('_cleveragents/event/list', plan)
    expect(events.filter(event => event.method === '_cleveragents/guard/changed')).toMatchObject([
      { change: { kind: 'set', max_total_cost: 0.5 }, loosened: [], by: 'tester' },
      {
        change: { kind: 'undeny' },
        loosened: ['write_file is taken off tool_denylist'],
        reason: 'it may write here',
      },
    ])
  })

  it('shows in a test of a command what would happen now', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/make', WRITES_AND_RUNS)
    const asked = await startUnder(bench, 'local/make', { toolDenylist: ['write_file'] })
    const plan = { plan_id: asked.plan_id }
    await backend.call('_cleveragents/plan/guard/denylist/add', {
      ...plan,
      entries: ['run_command(git push *)'],
    })
    const command = 'npm test && git push'
    expect(await backend.call('_cleveragents/guard/test', { ...plan, command })).toMatchObject({
      verdict: 'asked',
      guard: 'denylist',
      parts: [
        { text: 'npm test', verdict: 'allowed' },
        { text: 'git push', verdict: 'denied', rule: 'run_command(git push *)' },
      ],
    })
    const ci = await backend.call('_cleveragents/guard/test', { profile: 'ci', command })
    expect(ci).toMatchObject({ verdict: 'allowed', parts: [] })
    const neither = await backend.refusal('_cleveragents/guard/test', { command })
    expect(neither.errorType).toBe('invalid_input')
  })
})
