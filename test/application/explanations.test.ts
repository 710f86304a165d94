import { describe, expect, it } from 'vitest'
import { addInfluence } from '../../src/application/decision/record-influences.ts'
import { asId, type DecisionId, type PlanId } from '../../src/domain/ids.ts'
import { startBench, whereabouts } from '../support/purpose-made.ts'

const LINKED = `
invariants: [Nothing else changes]
recipe:
  strategize:
    - decide: {id: where, type: strategy_choice, question: Where?, choose: a, confidence: 0.4, rationale: it is first, options: [{id: a, label: A, set: {file: a.txt}}, {id: b, label: B, set: {file: b.txt}}]}
  execute:
    - decide: {id: write, type: implementation_choice, question: What?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ vars.file }}", content: x}}
    - decide: {id: look, type: implementation_choice, question: Look?, choose: x, depends_on: [where], options: [{id: x, label: X}]}
    - tool: {name: builtin/search_text, with: {pattern: x}}
    - decide: {id: check, type: implementation_choice, question: Check?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: "cat a.txt"}}
`

describe('an explanation', () => {
  it('shows the arithmetic, what shaped a decision and what it shaped, its steps and its files', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/linked', LINKED)
    let plan = await bench.start('local/linked', 'review')
    plan = await bench.approve(plan)
    plan = await backend.call('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      grant: 'plan',
      wait: true,
    })
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const [asked] = plan.gates
    expect(asked?.arithmetic).toHaveLength(6)
    expect(asked?.arithmetic.at(-1)).toMatch(/^\.\d\d against the profile: always asks$/)
    const explain = async (key: string) =>
      backend.call('_cleveragents/plan/explain', { decision_id: await bench.decision(plan, key) })

    const where = await explain('where')
    expect(where.arithmetic).toEqual([
      '.30 × .50  past success of its kind here',
      '.20 × .00  familiarity with this project',
      '.30 × (1 − .30)  risk of what it touches',
      '.20 × (1 − .10)  invariants to keep',
      '= .54 computed, .40 stated: the lower counts',
      '.40 against the profile: always asks',
    ])
    expect(where.decision.decided_by).toBe('human')
    expect(where.downstream.map(each => [each.question, each.why])).toContainEqual([
      'Look?',
      'declared to depend on where',
    ])

    const write = await explain('write')
    expect(write.files.map(file => file.path)).toEqual(['a.txt'])
    expect(write.steps.map(step => [step.path, step.tool])).toEqual([['execute[1]', 'builtin/write_file']])
    expect(write.downstream.map(each => [each.question, each.why])).toEqual([
      ['Look?', 'read a.txt, written under #4'],
      ['Check?', 'ran a command, which may read anything that #4 wrote'],
    ])
    const look = await explain('look')
    expect([look.decision.decided_by, look.decision.rationale]).toEqual([
      'actor',
      expect.stringContaining('passed by the standing approval of tester'),
    ])
    expect(look.files).toEqual([])
    const tree = await backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    expect(new Set(tree.edges.map(edge => edge.origin))).toEqual(new Set(['declared', 'derived']))
  })

  it('names both ends of an edge that would close a circle, and does not count it', async () => {
    const bench = await startBench()
    await bench.action('local/circle', CIRCLE)
    const plan = await bench.start('local/circle', 'auto')
    const { ports } = bench.backend
    const found = ports.store.plans.find(asId<PlanId>(plan.plan_id))
    if (!found) throw new Error('no plan')
    addInfluence(ports, found, {
      upstreamDecisionId: asId<DecisionId>(await bench.decision(plan, 'other')),
      downstream: { kind: 'decision', decisionId: asId<DecisionId>(await bench.decision(plan, 'one')) },
      origin: 'derived',
      why: 'read a.txt',
    })
    const explain = async (key: string) =>
      bench.backend.call('_cleveragents/plan/explain', { decision_id: await bench.decision(plan, key) })
    const [one, other] = [await explain('one'), await explain('other')]
    expect(one.not_counted.map(each => [each.decision_id, each.number, each.reason])).toEqual([
      [
        other.decision.decision_id,
        other.decision.number,
        `#${other.decision.number} itself rests on this decision`,
      ],
    ])
    expect([one.upstream, other.upstream.map(each => each.decision_id)]).toEqual([
      [],
      [one.decision.decision_id],
    ])
  })
})

/** One of two decisions rests on the other. */
const CIRCLE = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - decide: {id: other, type: implementation_choice, question: Other?, choose: x, depends_on: [one], options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: x}}
`
