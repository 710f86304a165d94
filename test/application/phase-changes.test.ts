import { describe, expect, it } from 'vitest'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

const RENAME = `
arguments:
  - {name: find, type: string, required: true}
  - {name: count, type: integer, default: 1}
recipe:
  strategize:
    - tool: {name: builtin/search_text, with: {pattern: "\${{ args.find }}"}, as: hits}
    - decide: {id: where, type: strategy_choice, question: "Where is \${{ args.find }}?", choose: first, options: [{id: first, label: The first file, set: {file: a.txt}}, {id: every, label: Every file, set: {file: b.txt}}]}
  execute:
    - decide: {id: edit, type: implementation_choice, question: With what?, choose: x, options: [{id: x, label: X, set: {text: x}}, {id: y, label: Y, set: {text: y}}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ vars.file }}", content: "\${{ args.find }} \${{ vars.text }} \${{ size(hits.paths) }}"}}
`

describe('a rejected phase gate', () => {
  it('pauses the plan with the reason, and a resume asks again', async () => {
    const bench = await renaming()
    let plan = await bench.start('local/rename', 'supervised', { find: 'one' })
    plan = await bench.reject(plan, 'after lunch')
    expect([position(plan), plan.reason, plan.gates]).toEqual(['strategize/paused', 'after lunch', []])
    plan = await bench.backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
  })
})

describe('changes asked for at the Apply gate', () => {
  it('revert the decision they name, several at once, or the one that offers the option', async () => {
    const bench = await renaming()
    let plan = await bench.start('local/rename', 'auto', { find: 'one' })
    const asked = plan.gates[0]?.gate_id ?? ''
    plan = await bench.change(plan, 'where=every edit=y')
    expect([whereabouts(plan), plan.attempt]).toEqual(['execute/awaiting_input phase select_tool', 2])
    expect(await choices(bench, plan)).toEqual(['where every', 'edit y'])
    expect(bench.backend.ports.store.gates.match(asked).length).toBe(1)
    const repeated = await bench.backend.refusal('_cleveragents/plan/request-changes', {
      plan_id: plan.plan_id,
      gate_id: asked,
      guidance: 'edit=x',
    })
    expect(repeated.message).toContain('already answered by tester')
    plan = await bench.change(plan, 'the first file')
    expect(await choices(bench, plan)).toEqual(['where first', 'edit y'])
    plan = await bench.change(plan, 'edit=x')
    expect(await choices(bench, plan)).toEqual(['where first', 'edit x'])
    plan = await bench.approve(plan)
    expect([await bench.read('a.txt'), await bench.read('b.txt')]).toEqual(['one x 1', 'two\n'])
  })

  it('make the plan anew when they name an argument', async () => {
    const bench = await renaming()
    let plan = await bench.start('local/rename', 'auto', { find: 'one' })
    const wrong = await bench.backend.refusal('_cleveragents/plan/request-changes', {
      plan_id: plan.plan_id,
      guidance: 'count=many',
    })
    expect([wrong.errorType, wrong.message]).toEqual([
      'invalid_input',
      expect.stringContaining('a whole number'),
    ])
    plan = await bench.change(plan, 'find=two edit=y')
    expect([whereabouts(plan), plan.attempt, plan.args]).toEqual([
      'execute/awaiting_input phase select_tool',
      2,
      { find: 'two', count: 1 },
    ])
    expect(await choices(bench, plan)).toEqual(['where first', 'edit y'])
    plan = await bench.approve(plan)
    expect(await bench.read('a.txt')).toBe('two y 1')
  })
})

describe('changes asked for at the gate before Execute', () => {
  it('reach a decision of Execute that was kept, by its option or by its name', async () => {
    const bench = await startBench()
    await bench.action('local/apart', APART)
    let plan = await bench.approve(await bench.start('local/apart', 'supervised'))
    if (plan.gates[0]?.kind === 'decision') plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    for (const [guidance, chosen] of [
      ['y', 'y'],
      ['edit=x', 'x'],
    ] as const) {
      plan = await bench.change(plan, guidance === 'y' ? 'where=every' : 'where=first')
      expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
      plan = await bench.change(plan, guidance)
      expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
      plan = await bench.approve(plan)
      if (plan.gates[0]?.kind === 'decision') plan = await bench.approve(plan)
      expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
      expect((await choices(bench, plan)).at(-1)).toBe(`edit ${chosen}`)
    }
  })
})

/** Nothing in Execute rests on the strategy. */
const APART = `
recipe:
  strategize:
    - decide: {id: where, type: strategy_choice, question: Where?, choose: first, options: [{id: first, label: The first file}, {id: every, label: Every file}]}
  execute:
    - decide: {id: edit, type: implementation_choice, question: With what?, choose: x, options: [{id: x, label: X, set: {text: x}}, {id: y, label: Y, set: {text: y}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ vars.text }}"}}
`

describe('changes asked for before anything was decided', () => {
  it('reach the plan, which asks again before it begins and again before Execute', async () => {
    const bench = await renaming()
    let plan = await bench.start('local/rename', 'manual', { find: 'one' })
    const first = plan.gates[0]
    plan = await bench.change(plan, 'find=two where=every')
    expect([whereabouts(plan), plan.args['find'], plan.attempt]).toEqual([
      'action/awaiting_input phase decompose_task',
      'two',
      1,
    ])
    expect(plan.gates[0]?.gate_id).not.toBe(first?.gate_id)
    expect(plan.gates[0]?.digest).not.toBe(first?.digest)
    plan = await bench.approve(plan)
    expect(plan.gates[0]?.question).toBe('Where is two?')
    expect(plan.gates[0]?.subject['proposed']).toMatchObject({ id: 'every' })
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    plan = await bench.change(plan, 'args.find=one')
    expect([whereabouts(plan), plan.gates[0]?.question, plan.attempt]).toEqual([
      'strategize/awaiting_input decision edit_code',
      'Where is one?',
      2,
    ])
  })
})

async function renaming(): Promise<Bench> {
  const bench = await startBench()
  await bench.action('local/rename', RENAME)
  return bench
}

async function choices(bench: Bench, { plan_id }: { plan_id: string }): Promise<string[]> {
  const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id })
  return tree.decisions.flatMap(each => (each.key ? [`${each.key} ${each.chosen_option.id}`] : []))
}
