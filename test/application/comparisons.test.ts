import { expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'

const CHOICE = `
recipe:
  execute:
    - decide: {id: word, type: implementation_choice, question: Which word?, choose: red, options: [{id: red, label: Red, set: {word: red}}, {id: blue, label: Blue, set: {word: blue}}]}
    - tool: {name: builtin/write_file, with: {path: word.txt, content: "\${{ vars.word }}\\n"}}
    - decide: {id: last, type: implementation_choice, question: What else?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: last.txt, content: "last\\n"}}
`

async function compared({ backend }: Bench, plan: PlanView, more: Record<string, string>) {
  const view = await backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id, ...more })
  const lines = view.patch.split('\n').filter(line => /^[-+][^-+]/.test(line))
  return { old: view.old.title, new: view.new.title, files: view.files.map(({ path }) => path), lines }
}

it('a correction is compared as the result before it with the present one, and with its own once it is undone', async () => {
  const bench = await startBench()
  const { backend } = bench
  await bench.action('local/choice', CHOICE)
  const plan = await bench.start('local/choice', 'auto')
  expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
  const decision_id = await bench.decision(plan, 'word')
  const corrected = await backend.call('_cleveragents/plan/correct', {
    decision_id,
    mode: 'revert',
    guidance: 'blue',
    wait: true,
  })
  const correction_id = corrected.correction_id ?? ''
  await backend.call('_cleveragents/plan/status', { plan_id: plan.plan_id, wait: true })
  const difference = { files: ['word.txt'], lines: ['-red', '+blue'] }
  expect(await compared(bench, plan, { correction_id })).toEqual({
    old: 'before the correction of #2',
    new: 'now',
    ...difference,
  })

  const { checkpoints } = await backend.call('_cleveragents/plan/checkpoint/list', { plan_id: plan.plan_id })
  const safety = checkpoints.find(({ label }) => label.includes('correction'))
  await backend.call('_cleveragents/plan/rollback', {
    plan_id: plan.plan_id,
    checkpoint_id: safety?.checkpoint_id ?? '',
  })
  expect(await compared(bench, plan, { correction_id })).toEqual({
    old: 'before the correction of #2',
    new: 'before it was taken back',
    ...difference,
  })
})

it('a correction is compared also when everything was planned anew since, with what there is then', async () => {
  const bench = await startBench()
  await bench.action('local/choice', `arguments: [{name: word, type: string, default: one}]${CHOICE}`)
  const plan = await bench.start('local/choice', 'auto')
  await bench.correct(plan, 'word', 'blue')
  const anew = await bench.change(plan, 'word=two')
  expect(whereabouts(anew)).toBe('execute/awaiting_input phase select_tool')
  const [correction] = bench.backend.ports.store.corrections.listByPlan(asId<PlanId>(plan.plan_id))
  expect(await compared(bench, plan, { correction_id: correction?.correctionId ?? '' })).toEqual({
    old: 'before the correction of #2',
    new: 'now',
    files: ['word.txt'],
    lines: ['-red', '+blue'],
  })
})

it('two plans on one project are compared, the named one as the old side', async () => {
  const bench = await startBench()
  const { backend } = bench
  await bench.action('local/choice', CHOICE)
  const red = await bench.start('local/choice', 'auto')
  const other = await bench.start('local/choice', 'auto')
  await backend.call('_cleveragents/plan/correct', {
    decision_id: await bench.decision(other, 'word'),
    mode: 'revert',
    guidance: 'blue',
    wait: true,
  })
  await backend.call('_cleveragents/plan/status', { plan_id: other.plan_id, wait: true })
  expect(await compared(bench, red, { against: other.plan_id })).toEqual({
    old: red.name,
    new: other.name,
    files: ['word.txt'],
    lines: ['-red', '+blue'],
  })
  const both = {
    plan_id: red.plan_id,
    against: other.plan_id,
    decision_id: await bench.decision(red, 'word'),
  }
  await expect(backend.call('_cleveragents/plan/diff', both)).rejects.toThrow('only one of them')
})

const HALF_WAY = `
recipe:
  execute:
    - decide: {id: word, type: implementation_choice, question: Which word?, choose: red, options: [{id: red, label: Red, set: {word: red}}, {id: blue, label: Blue, set: {word: blue}}]}
    - tool: {name: builtin/write_file, with: {path: word.txt, content: "\${{ vars.word }}\\n"}}
    - decide: {id: last, type: implementation_choice, question: What else?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: one.txt, content: "one\\n"}}
    - ask: {question: Go on?, options: [{id: "yes", label: "Yes"}]}
    - tool: {name: builtin/write_file, with: {path: two.txt, content: "two\\n"}}
`

it('the work of a decision is shown alone, also where another one was corrected in the middle of it', async () => {
  const bench = await startBench()
  await bench.action('local/half-way', HALF_WAY)
  const asked = await bench.start('local/half-way', 'auto')
  const again = await bench.correct(asked, 'word', 'blue')
  const plan = await bench.approve(again)
  expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')

  const shown = await compared(bench, plan, { decision_id: await bench.decision(plan, 'last') })

  expect(shown).toMatchObject({ files: ['one.txt', 'two.txt'], lines: ['+one', '+two'] })
})
