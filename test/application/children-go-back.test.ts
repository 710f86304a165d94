/** Rollbacks, undos and corrections of a plan while some of its children are merged and others still wait. */
import { createHash } from 'node:crypto'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { type Bench, patchOf, startBench, whereabouts } from '../support/purpose-made.ts'

const isLong = process.env['LONG'] === '1'

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
    - tool: {name: builtin/read_file, with: {path: first.txt}}
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

/** The second child rests on what the first one made. */
const READS = PARENT.replace(
  / {4}- spawn: .*\n/,
  `    - spawn: {action: local/writes, args: {path: first.txt}, as: x}
    - spawn: {action: local/asks, as: asks}
`,
)

/** Two children that may not conflict, and do; nothing of them rests on the first decision. */
const CLASHES = PARENT.replace(
  / {4}- spawn: .*\n/,
  `    - spawn: {merge: fail_on_conflict, parallel: [{action: local/writes, args: {path: x.txt}, as: x}, {action: local/clashes, as: asks}], as: kids}
`,
)

const CLASHING = `
recipe:
  execute:
    - ask: {question: Really?, options: [{id: "yes", label: "Yes"}]}
    - tool: {name: builtin/write_file, with: {path: x.txt, content: "otherwise"}}
`

/** What the first child is asked for is an argument. */
const NAMED = `
arguments: [{name: path, type: string, default: x.txt}]
${PARENT.trimStart().replace('path: x.txt', 'path: "${{ args.path }}"')}`

const BEFORE_APPLY = 'execute/awaiting_input phase select_tool'

describe('a plan with a child that is merged and one that waits', () => {
  it('rolled back to before them starts them anew, and loses nothing of what they make', async () => {
    const { bench, plan, answer } = await waitingForChild()
    const { plan_id } = plan
    const kids = await bench.decision(plan, 'kids')
    const { checkpoints } = await bench.backend.call('_cleveragents/plan/checkpoint/list', { plan_id })
    const before = checkpoints.find(each => each.decision_id === kids)
    const checkpoint_id = before?.checkpoint_id ?? ''

    const wanted = { plan_id, checkpoint_id, dry_run: true }
    const preview = await bench.backend.call('_cleveragents/plan/rollback', wanted)
    expect(preview.impact.plans.map(({ name, state }) => [name, state])).toEqual([
      ['local/parent/x', 'complete'],
      ['local/parent/asks', 'awaiting_input'],
    ])
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

  it('has nothing to pause while it only waits for a person', async () => {
    const { bench, plan } = await waitingForChild()
    const refused = await bench.backend.refusal('_cleveragents/plan/pause', { plan_id: plan.plan_id })
    expect(refused.message).toBe('Plan local/parent is awaiting input in execute; there is nothing to pause.')
  })

  it.runIf(isLong)(
    'starts them anew where a correction before them changed what they are asked for',
    async () => {
      const { bench, plan, answer } = await waitingForChild(NAMED)
      const corrected = await bench.correct(plan, 'first', 'path=z.txt')
      expect(statesOf(corrected)).toEqual([
        'x cancelled',
        'asks cancelled',
        'x complete',
        'asks awaiting_input',
      ])
      const files = ['asked.txt', 'end.txt', 'first.txt', 'z.txt']
      expect(await filesOf(bench, await answer(corrected))).toEqual(files)
    },
  )

  it('takes back what was merged of children that conflict, and no correction made meanwhile', async () => {
    const { bench, plan } = await waitingForChild(CLASHES)
    const corrected = await bench.correct(plan, 'first', 'y')
    expect(statesOf(corrected)).toEqual(['x complete', 'asks awaiting_input'])

    const failed = await bench.approve(corrected)

    expect(whereabouts(failed)).toBe('execute/awaiting_input error -')
    expect(failed.gates[0]?.question).toContain('conflicts with the children before it in x.txt')
    const patch = await patchOf(bench, failed)
    expect([patch.includes('+y'), patch.includes('b/x.txt')]).toEqual([true, false])
  })

  it('is not corrected above a child whose work is in the user’s files, and nothing is touched', async () => {
    const { bench, plan } = await waitingForChild()
    const { plans, steps } = bench.backend.ports.store
    const [child] = plans.listChildren(asId<PlanId>(plan.plan_id))
    if (!child) throw new Error('no child')
    // As a child is that applies by itself.
    plans.update({ ...child, position: 'apply/applied' })
    const before = steps.listByPlan(asId<PlanId>(plan.plan_id))

    for (const dry_run of [true, false]) {
      const wanted = {
        decision_id: await bench.decision(plan, 'kids'),
        mode: 'revert',
        guidance: 'none',
        dry_run,
      } as const
      const refused = await bench.backend.refusal('_cleveragents/plan/correct', wanted)
      expect(refused.message).toContain(`The child plan ${child.name} is in your files already`)
      expect(refused.message).toContain('--mode append')
    }

    expect(steps.listByPlan(asId<PlanId>(plan.plan_id))).toEqual(before)
    const now = await bench.backend.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
    expect(statesOf(now)).toEqual(['x applied', 'asks awaiting_input'])
  })

  it.runIf(isLong)('loses neither to a correction that cannot restore the sandbox', async () => {
    const { bench, plan, answer } = await waitingForChild(READS)
    const { plan_id } = plan
    const decision_id = await bench.decision(plan, 'x')
    const content = join(bench.backend.dataDir, 'plans', plan_id, 'git', 'objects', ...blobOf('x'))
    const { steps, events } = bench.backend.ports.store
    // Once it was planned, and before it is carried out.
    const stopListening = events.onChange(() => {
      if (steps.last(asId<PlanId>(plan_id))?.kind !== 'restore') return
      stopListening()
      renameSync(content, `${content}.away`)
    })
    const wanted = { decision_id, mode: 'revert' as const, guidance: 'none' }
    const refused = await bench.backend.refusal('_cleveragents/plan/correct', wanted)
    expect(refused.message).toContain('The sandbox is as it was before.')
    renameSync(`${content}.away`, content)

    const resumed = await bench.backend.call('_cleveragents/plan/resume', { plan_id, wait: true })

    expect(statesOf(resumed)).toEqual(['x complete', 'asks awaiting_input'])
    expect(await filesOf(bench, await answer(resumed))).toEqual(['asked.txt', 'end.txt', 'first.txt'])
  })
})

/** Where a store keeps this text. */
function blobOf(text: string): [string, string] {
  const id = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex')
  return [id.slice(0, 2), id.slice(2)]
}

const ALL = ['asked.txt', 'end.txt', 'first.txt', 'x.txt']

async function waitingForChild(parent = PARENT) {
  const bench = await startBench()
  await bench.action('local/writes', WRITES)
  await bench.action('local/asks', ASKS)
  await bench.action('local/clashes', CLASHING)
  await bench.action('local/parent', parent)
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
