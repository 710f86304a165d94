import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'
import type { FileTree } from '../support/repository.ts'

const STAGES = `
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: a.txt}, as: seen}
    - tool: {name: builtin/read_file, with: {path: b.txt}, as: also}
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/edit_file, with: {path: b.txt, find: five, replace: plan}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: c.txt, content: "plan"}}
`

const NUMBERS = 'one\ntwo\nthree\nfour\nfive\n'
const files = { 'a.txt': 'read\n', 'b.txt': NUMBERS, 'other.txt': 'other\n' }
const edited = { 'b.txt': NUMBERS.replace('one', 'mine') }

describe('what the user changes in their own files while a plan runs', () => {
  it('elsewhere never asks; the Apply gate says how much it was, and Apply merges around it', async () => {
    const { bench, plan } = await working('supervised', { 'other.txt': 'mine\n', 'new.txt': 'mine\n' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    const asked = await bench.approve(plan)
    expect(whereabouts(asked)).toBe('execute/awaiting_input phase select_tool')
    expect(asked.gates[0]?.subject['summary']).toContain(
      '2 files of yours changed meanwhile; the plan touches none of them, and Apply merges around them',
    )
    const applied = await bench.approve(asked)
    expect([position(applied), await bench.read('other.txt'), await bench.read('c.txt')]).toEqual([
      'apply/applied',
      'mine\n',
      'plan',
    ])
  })

  it('where the plan works asks once; going on without it is remembered until it changes again', async () => {
    const { bench, plan } = await working('supervised', edited)
    expect(whereabouts(plan)).toBe('execute/awaiting_input drift execute_command')
    expect(plan.gates[0]).toMatchObject({
      question: 'b.txt changed in your files since the plan began, and the plan works on it too. What now?',
      subject: { kind: 'drift', folder: bench.repository.root, changes: [{ path: 'b.txt', how: 'changed' }] },
      options: [{ id: 'go_on' }, { id: 'adopt' }, { id: 'stop' }],
    })
    const second = await bench.approve(plan, { option_id: 'go_on' })
    expect(whereabouts(second)).toBe('execute/awaiting_input decision execute_command')
    await bench.repository.write({ 'b.txt': NUMBERS.replace('two', 'again') })
    const again = await bench.approve(second)
    expect(whereabouts(again)).toBe('execute/awaiting_input drift execute_command')
    const end = await bench.approve(again, { option_id: 'go_on' })
    expect(end.gates[0]?.subject['summary']).toContain('the plan touches one of them too: b.txt')
    await bench.approve(end)
    expect(await bench.read('b.txt')).toBe(NUMBERS.replace('two', 'again').replace('five', 'plan'))
  })

  it('is brought into the plan by a merge, and what is applied is the plan alone', async () => {
    const { bench, plan } = await working('supervised', edited)
    const second = await bench.approve(plan, { option_id: 'adopt' })
    expect(whereabouts(second)).toBe('execute/awaiting_input decision execute_command')
    const end = await bench.approve(second)
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(file => [file.path, file.additions])).toEqual([
      ['b.txt', 1],
      ['c.txt', 1],
    ])
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    expect(tree.decisions.find(each => each.type === 'user_intervention')).toMatchObject({
      chosen_option: { label: 'Bring your changes into the plan' },
      changes: { files: 1, additions: 1, deletions: 1 },
    })
    await bench.repository.write({ 'b.txt': NUMBERS.replace('one', 'mine and more') })
    await bench.approve(end)
    expect(await bench.read('b.txt')).toBe(NUMBERS.replace('one', 'mine and more').replace('five', 'plan'))
  })

  it('that does not fit together is not brought in; a person goes on without it or stops', async () => {
    const { bench, plan } = await working('supervised', { 'b.txt': NUMBERS })
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    await bench.repository.write({ 'b.txt': NUMBERS.replace('five', 'mine') })
    const asked = await bench.approve(plan)
    const refused = await bench.approve(asked, { option_id: 'adopt' })
    expect([whereabouts(refused), refused.gates[0]?.options.map(option => option.id)]).toEqual([
      'execute/awaiting_input drift -',
      ['go_on', 'stop'],
    ])
    const end = await bench.approve(refused, { option_id: 'go_on' })
    expect(whereabouts(end)).toBe('execute/awaiting_input phase select_tool')
  })

  it('is only noted where the profile decides by itself', async () => {
    const { bench, plan } = await working('supervised', {})
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    const other = await bench.start('local/stages', 'trusted')
    await bench.repository.write({ 'b.txt': NUMBERS.replace('one', 'mine'), 'a.txt': 'mine\n' })
    const again = await bench.correct(other, 'one', 'x')
    expect(whereabouts(again)).toBe('execute/awaiting_input phase select_tool')
    expect(again.notices.filter(notice => notice.includes('changed in your files'))).toEqual([
      'a.txt and b.txt changed in your files while the plan worked on it; Apply merges both, or asks.',
    ])
    expect(again.gates[0]?.subject['summary']).toContain('the plan touches 2 of them too: a.txt, b.txt')
  })
})

/** A plan that waits at its first decision in Execute while the user edits their own files, and then goes on. */
async function working(profile: string, edits: FileTree): Promise<{ bench: Bench; plan: PlanView }> {
  const bench = await startBench(files)
  await bench.action('local/stages', STAGES)
  const waiting = await bench.approve(await bench.start('local/stages', profile))
  expect(whereabouts(waiting)).toBe('execute/awaiting_input decision execute_command')
  await bench.repository.write(edits)
  return { bench, plan: await bench.approve(waiting) }
}
