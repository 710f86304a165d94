/** Rollbacks, undos and corrections of a plan while some of its children are merged and others still wait. */
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views.ts'
import { type Bench, patchOf, startBench, whereabouts } from '../support/purpose-made.ts'

const WRITES = `
arguments:
  - {name: path, type: string, required: true}
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: write, options: [{id: write, label: Write}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ args.path }}", content: "made"}}
`

const ASKS = `
recipe:
  execute:
    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}
    - tool: {name: builtin/write_file, with: {path: asked.txt, content: "made"}}
`

const PARENT = `
recipe:
  execute:
    - decide: {id: first, type: implementation_choice, question: First?, choose: x, options: [{id: x, label: X, set: {first: x}}, {id: y, label: Y, set: {first: y}}]}
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "\${{ vars.first }}"}}
    - spawn: {sequential: [{action: local/writes, args: {path: x.txt}, as: x}, {action: local/asks, as: asks}], as: kids}
    - tool: {name: builtin/write_file, with: {path: end.txt, content: "end"}}
`

const BEFORE_APPLY = 'execute/awaiting_input phase select_tool'

describe('a plan with a child that is merged and one that waits', () => {
  it('rolled back to before them starts them anew, and loses nothing of what they make', async () => {
    const { bench, plan, answer } = await waitingForChild()
    const { plan_id } = plan
    const kids = await bench.decision(plan, 'kids')
    const { checkpoints } = await bench.backend.call('_cleveragents/plan/checkpoint/list', { plan_id })
    const before = checkpoints.find(each => each.decision_id === kids)
    const checkpoint_id = before?.checkpoint_id ?? ''

    const rolled = await bench.backend.call('_cleveragents/plan/rollback', { plan_id, checkpoint_id })

    expect(statesOf(rolled.plan)).toEqual(['x cancelled', 'asks cancelled'])
    const asked = await bench.approve(rolled.plan)
    expect(asked.children.map(each => each.state)).toEqual([
      'cancelled',
      'cancelled',
      'complete',
      'awaiting_input',
    ])
    expect(await filesOf(bench, await answer(asked))).toEqual(ALL)
  })

  it('keeps them through a correction before them, and an undo merges again what was merged since', async () => {
    const { bench, plan, answer } = await waitingForChild()
    const { plan_id } = plan
    const corrected = await bench.correct(plan, 'first', 'y')
    expect(statesOf(corrected)).toEqual(['x complete', 'asks awaiting_input'])
    const whole = await answer(corrected)
    expect(await filesOf(bench, whole)).toEqual(ALL)

    const undone = await bench.backend.call('_cleveragents/plan/undo', { plan_id })

    expect(await filesOf(bench, undone.plan)).toEqual(['first.txt', 'x.txt'])
    const again = await bench.approve(undone.plan)
    expect(whereabouts(again)).toBe(BEFORE_APPLY)
    expect(statesOf(again)).toEqual(['x complete', 'asks complete'])
    expect(await filesOf(bench, again)).toEqual(ALL)

    const redone = await bench.backend.call('_cleveragents/plan/undo', { plan_id })
    expect(await filesOf(bench, redone.plan)).toEqual(ALL)
    expect(await filesOf(bench, await bench.approve(redone.plan))).toEqual(ALL)
  })
})

const ALL = ['asked.txt', 'end.txt', 'first.txt', 'x.txt']

async function waitingForChild() {
  const bench = await startBench()
  await bench.action('local/writes', WRITES)
  await bench.action('local/asks', ASKS)
  await bench.action('local/parent', PARENT)
  const plan = await bench.start('local/parent', 'trusted')
  expect(statesOf(plan)).toEqual(['x complete', 'asks awaiting_input'])
  const answer = async (asked: PlanView) => {
    const answered = await bench.approve(asked)
    expect(whereabouts(answered)).toBe(BEFORE_APPLY)
    return answered
  }
  return { bench, plan, answer }
}

function statesOf({ children }: PlanView): string[] {
  return children.map(({ key, state }) => `${key} ${state}`)
}

async function filesOf(bench: Bench, plan: PlanView): Promise<string[]> {
  return [...(await patchOf(bench, plan)).matchAll(/^diff --git a\/(.*) b\//gm)].map(match => match[1] ?? '')
}
