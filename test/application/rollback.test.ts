import { describe, expect, it } from 'vitest'
import { position, startBench, whereabouts } from '../support/purpose-made.ts'

const STAGES = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {one: x}}, {id: y, label: Y, set: {one: y}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ vars.one }}"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X, set: {two: x}}, {id: y, label: Y, set: {two: y}}]}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: "\${{ vars.two }}"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X, set: {three: x}}, {id: y, label: Y, set: {three: y}}]}
    - tool: {name: builtin/write_file, with: {path: c.txt, content: "\${{ vars.three }}"}}
`

describe('a rollback', () => {
  it('returns to a checkpoint, the latest that holds by default, and asks how to go on', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/stages', STAGES)
    let plan = await bench.start('local/stages', 'auto')
    const { plan_id } = plan
    const { checkpoints } = await backend.call('_cleveragents/plan/checkpoint/list', { plan_id })
    expect(checkpoints.map(each => each.label)).toEqual(['before #3 Two?', 'before #4 Three?'])

    const latest = await backend.call('_cleveragents/plan/rollback', { plan_id })
    expect([whereabouts(latest.plan), latest.removed, latest.plan.changes?.files]).toEqual([
      'execute/awaiting_input resume -',
      ['c.txt'],
      2,
    ])
    const older = await backend.call('_cleveragents/plan/rollback', {
      plan_id,
      checkpoint_id: checkpoints[0]?.checkpoint_id ?? '',
    })
    expect(older.plan.gates[0]?.question).toBe('Rolled back to #3 Two? Go on from here?')
    expect(older.plan.changes?.files).toBe(1)
    const gone = await backend.refusal('_cleveragents/plan/rollback', {
      plan_id,
      checkpoint_id: checkpoints[1]?.checkpoint_id ?? '',
    })
    expect(gone.message).toContain('is superseded')

    await backend.call('_cleveragents/plan/prompt', { plan_id, guidance: 'three=y' })
    plan = await bench.approve(older.plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const tree = await backend.call('_cleveragents/plan/tree', { plan_id, show_superseded: true })
    expect(
      tree.decisions
        .filter(each => each.key || each.type === 'user_intervention')
        .map(each => [each.key, each.chosen_option.label, each.status, each.superseded_reason]),
    ).toEqual([
      ['one', 'X', 'active', null],
      ['two', 'X', 'active', null],
      ['three', 'X', 'superseded', 'rollback'],
      [null, 'three=y', 'active', null],
      ['three', 'Y', 'active', null],
    ])
    plan = await bench.approve(plan)
    expect([position(plan), await bench.read('c.txt')]).toEqual(['apply/applied', 'y'])
    const late = await backend.refusal('_cleveragents/plan/rollback', { plan_id })
    expect([late.errorType, late.message]).toEqual([
      'invalid_state',
      expect.stringContaining('is applied; it cannot be rolled back'),
    ])
  })

  it('is refused while nothing was modified', async () => {
    const bench = await startBench()
    await bench.action('local/stages', STAGES)
    const plan = await bench.start('local/stages', 'supervised')
    const refused = await bench.backend.refusal('_cleveragents/plan/rollback', { plan_id: plan.plan_id })
    expect(refused.message).toContain('no checkpoint yet')
  })
})
