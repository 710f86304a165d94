import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { refusalToAnswer } from '../../src/application/gate/answer-gate.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { markName } from '../../src/infrastructure/system/supervised.ts'
import { startBackend } from '../support/backend.ts'
import { position, startBench, whereabouts } from '../support/purpose-made.ts'
import { aGate, newId } from '../support/records.ts'

/** What a decision gate shows. */
const decisionGate = z.looseObject({
  proposed: z.looseObject({ id: z.string() }),
  guidance: z.string().nullable(),
})

const TWO_CHOICES = `
recipe:
  strategize:
    - decide: {id: where, type: strategy_choice, question: Which file?, choose: a, options: [{id: a, label: The first, set: {file: a.txt}}, {id: b, label: The second, set: {file: b.txt}}, {id: c, label: A new one, set: {file: c.txt}}]}
  execute:
    - decide: {id: how, type: implementation_choice, question: What is written?, choose: x, options: [{id: x, label: X, set: {text: "x"}}, {id: y, label: Y, set: {text: "y"}}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ vars.file }}", content: "\${{ vars.text }}"}}
`

describe('a plan under manual', () => {
  it('asks at every gate and goes on with the option a person chose', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    let plan = await bench.start('local/two', 'manual')
    expect(whereabouts(plan)).toBe('action/awaiting_input phase decompose_task')
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('strategize/awaiting_input decision edit_code')
    plan = await bench.approve(plan, { option_id: 'b', note: 'the second is better' })
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    plan = await bench.approve(plan)
    expect(position(plan)).toBe('apply/applied')
    expect([await bench.read('a.txt'), await bench.read('b.txt')]).toEqual(['one\n', 'x'])

    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    const where = tree.decisions.find(each => each.key === 'where')
    expect([where?.chosen_option.id, where?.decided_by, where?.alternatives.map(each => each.id)]).toEqual([
      'b',
      'human',
      ['a', 'c'],
    ])
    expect(where?.rationale).toContain('the second is better')
    const { decisions, blobs } = bench.backend.ports.store
    const choices = decisions.listByPlan(asId<PlanId>(plan.plan_id)).filter(each => each.key !== null)
    const states = choices.map(each => blobs.get(each.contextSnapshot.actorStateRef))
    expect(states.map(each => each !== null)).toEqual([true, true])
    const events = await bench.backend.call('_cleveragents/event/list', { plan_id: plan.plan_id })
    const resolved = events.events.filter(event => event.method === '_cleveragents/gate/resolved')
    expect(resolved).toHaveLength(5)
  })

  it('proposes the next alternative after a rejection, with its note, and asks what to do when none is left', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    let plan = await bench.approve(await bench.start('local/two', 'manual'))
    const proposals = [plan.gates[0]?.subject]
    plan = await bench.reject(plan, 'not that file')
    proposals.push(plan.gates[0]?.subject)
    plan = await bench.reject(plan)
    proposals.push(plan.gates[0]?.subject)
    expect(proposals.map(each => decisionGate.parse(each).proposed.id)).toEqual(['a', 'b', 'c'])
    plan = await bench.reject(plan)
    expect(whereabouts(plan)).toBe('strategize/awaiting_input error -')
    expect(plan.gates[0]?.question).toContain('Every option of where was rejected: a, b, c')
    plan = await bench.change(plan, 'b')
    expect(whereabouts(plan)).toBe('strategize/awaiting_input decision edit_code')
    expect(plan.gates[0]?.subject['proposed']).toMatchObject({ id: 'b' })
  })

  it('takes changes by option, by label and by pair, and asks a person about words that name nothing', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    let plan = await bench.approve(await bench.start('local/two', 'manual'))
    const asked: string[] = []
    for (const guidance of ['b', 'a new one', 'where=a', 'something else entirely']) {
      plan = await bench.change(plan, guidance)
      const { proposed, guidance: shown } = decisionGate.parse(plan.gates[0]?.subject)
      asked.push(`${plan.gates.length} ${plan.gates[0]?.kind} ${proposed.id} ${shown}`)
    }
    expect(asked).toEqual([
      '1 decision b null',
      '1 decision c null',
      '1 decision a null',
      '1 decision a something else entirely',
    ])
    expect(plan.gates[0]?.reason).toBe('the guidance names none of the options; choose one')
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    const words = tree.decisions
      .filter(each => each.type === 'user_intervention')
      .map(each => each.chosen_option.label)
    expect(words).toEqual(['b', 'a new one', 'where=a', 'something else entirely'])
  })

  it('takes changes at most ten times at one question', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    let plan = await bench.approve(await bench.start('local/two', 'manual'))
    for (let round = 0; round < 10; round++) plan = await bench.change(plan, round % 2 === 0 ? 'b' : 'a')
    const refused = await bench.backend.refusal('_cleveragents/plan/request-changes', {
      plan_id: plan.plan_id,
      guidance: 'b',
    })
    expect(refused.message).toContain('10 times')
    expect(whereabouts(await bench.approve(plan))).toBe('strategize/awaiting_input phase create_tool')
  })
})

describe('a revised proposal', () => {
  it('is asked about even where the profile would pass it', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    let plan = await bench.start('local/two', 'auto')
    plan = await bench.change(plan, 'how=nothing that exists')
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    plan = await bench.change(plan, 'y')
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    expect([plan.gates[0]?.subject['proposed'], plan.gates[0]?.reason]).toMatchObject([
      { id: 'y' },
      'a revised proposal needs an approval of its own',
    ])
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
  })
})

describe('an answer', () => {
  it("is not taken from a command of a plan, nor is any other word that is a person's", async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    const { plan_id } = await bench.start('local/two', 'manual')
    const { dataDir } = bench.backend
    await bench.backend.call('_cleveragents/plan/guard/set', { plan_id, max_total_cost: 1 })
    const inside = await startBackend({ dataDir, environment: { [markName]: '1' } })
    const refusals = await Promise.all([
      inside.refusal('_cleveragents/plan/approve', { plan_id }),
      inside.refusal('_cleveragents/plan/execute', { plan_id }),
      inside.refusal('_cleveragents/plan/reject', { plan_id }),
      inside.refusal('_cleveragents/plan/request-changes', { plan_id, guidance: 'b' }),
      inside.refusal('_cleveragents/plan/guard/set', { plan_id, max_total_cost: 9, reason: 'more' }),
      inside.refusal('_cleveragents/plan/profile/set', { plan_id, name: 'full-auto', reason: 'faster' }),
      inside.refusal('_cleveragents/project/trust', { project: bench.repository.root }),
      inside.refusal('_cleveragents/config/set', { key: 'plans.profile-changes', value: 'on' }),
    ])
    expect(refusals.map(({ errorType }) => errorType)).toEqual(refusals.map(() => 'denied'))
    expect(refusals[0]?.message).toContain("a plan's command cannot answer gates")
    const tightened = await inside.call('_cleveragents/plan/guard/set', { plan_id, max_total_cost: 0.5 })
    expect(tightened.max_total_cost).toEqual({ value: 0.5, source: 'plan' })
    const { gates } = await inside.call('_cleveragents/gate/list', { plan_id })
    expect(gates).toHaveLength(1)
  })

  it('approves what cannot be taken back only with the word for it', async () => {
    const { backend } = await startBench()
    const gate = aGate({ planId: newId<PlanId>(), confirmWord: 'delete' })
    const refusal = (
      confirmWord: string | null,
      decision: 'approve' | 'reject',
      optionId: string | null = null,
    ) =>
      refusalToAnswer(backend.ports, gate, {
        digest: null,
        confirmWord,
        answer: { decision, optionId, note: null, guidance: null, part: null, grant: 'once' },
      })
    expect([refusal(null, 'approve'), refusal('Delete', 'approve', 'yes')]).toEqual([
      expect.objectContaining({ ok: false }),
      expect.objectContaining({ ok: false }),
    ])
    expect(refusal(null, 'approve')).toMatchObject({
      failure: { code: 'invalid_input', message: expect.stringContaining('with the word delete') },
    })
    expect([refusal('delete', 'approve'), refusal(null, 'reject')]).toEqual([null, null])
  })

  it('is refused when it is to anything else than what is asked now', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/two', TWO_CHOICES)
    const plan = await bench.start('local/two', 'supervised')
    const { plan_id } = plan
    const gate = plan.gates[0]
    const wrong = await backend.refusal('_cleveragents/plan/approve', { plan_id, digest: '0'.repeat(64) })
    const empty = await backend.refusal('_cleveragents/plan/approve', { plan_id, digest: '' })
    const option = await backend.refusal('_cleveragents/plan/approve', { plan_id, option_id: 'gone' })
    const grant = await backend.refusal('_cleveragents/plan/approve', { plan_id, grant: 'plan' })
    const silent = await backend.refusal('_cleveragents/plan/request-changes', { plan_id, guidance: ' ' })
    expect([wrong, empty, option, grant, silent].map(each => each.errorType)).toEqual([
      'stale_answer',
      'stale_answer',
      'not_found',
      'invalid_input',
      'invalid_input',
    ])
    expect(option.message).toContain('Its options: go.')
    const next = await backend.call('_cleveragents/plan/approve', {
      plan_id,
      gate_id: gate?.gate_id ?? '',
      digest: gate?.digest.slice(0, 12) ?? '',
      wait: true,
    })
    expect(whereabouts(next)).toBe('execute/awaiting_input decision execute_command')
    const repeated = await backend.refusal('_cleveragents/plan/approve', {
      plan_id,
      gate_id: gate?.gate_id ?? '',
    })
    const older = await backend.refusal('_cleveragents/plan/approve', { plan_id, digest: gate?.digest ?? '' })
    expect([repeated.errorType, older.errorType]).toEqual(['stale_answer', 'stale_answer'])
    expect(repeated.message).toContain('already answered by tester')

    await backend.call('_cleveragents/plan/cancel', { plan_id })
    const open = next.gates[0]?.gate_id ?? ''
    const voided = await backend.refusal('_cleveragents/plan/approve', { plan_id, gate_id: open })
    const nothing = await backend.refusal('_cleveragents/plan/approve', { plan_id })
    expect([voided.errorType, nothing.errorType]).toEqual(['stale_answer', 'invalid_state'])
    expect(nothing.message).toContain('Nothing of plan')
    expect(nothing.message).toContain('waits for an answer')
  })

  it('to a gate of another plan is refused', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    const one = await bench.start('local/two', 'manual')
    const two = await bench.start('local/two', 'manual')
    const refused = await bench.backend.refusal('_cleveragents/plan/approve', {
      plan_id: one.plan_id,
      gate_id: two.gates[0]?.gate_id ?? '',
    })
    expect(refused.message).toContain('belongs to another plan')
  })
})

describe('decision gates', () => {
  it('open in both phases under review, which passes the phases themselves', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    const flags: string[] = []
    let plan = await bench.start('local/two', 'review')
    while (plan.state === 'awaiting_input') {
      flags.push(plan.gates[0]?.flag ?? '')
      plan = await bench.approve(plan)
    }
    expect(flags).toEqual(['edit_code', 'execute_command', 'select_tool'])
    expect(position(plan)).toBe('apply/applied')
  })

  it('show under cautious by how much confidence falls short', async () => {
    const bench = await startBench()
    await bench.action('local/two', TWO_CHOICES)
    const plan = await bench.start('local/two', 'cautious')
    expect(whereabouts(plan)).toBe('action/awaiting_input phase decompose_task')
    const gate = plan.gates[0]
    expect([gate?.confidence, gate?.threshold, gate?.reason]).toEqual([
      0.56,
      0.7,
      'confidence 0.56, profile cautious needs 0.70',
    ])
    const next = await bench.approve(plan)
    expect([whereabouts(next), next.gates[0]?.threshold]).toEqual([
      'strategize/awaiting_input decision edit_code',
      0.6,
    ])
  })
})
