import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, patchOf, position, startBench, whereabouts } from '../support/purpose-made.ts'

const WORK = `
arguments:
  - {name: path, type: string, default: work.txt}
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: write, options: [{id: write, label: Write}]}
    - tool: {name: builtin/write_file, with: {path: "\${{ args.path }}", content: "work"}}
`

const READS = `
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: work.txt}, as: seen}
    - tool: {name: builtin/write_file, with: {path: more.txt, content: "saw \${{ seen.content }}"}}
`

const FAILS = `
recipe:
  execute:
    - tool: {name: builtin/read_file, with: {path: more.txt}}
`

describe('appending to a plan', () => {
  it('at the Apply gate runs a child on what the plan has, and asks again with both', async () => {
    const bench = await benchWith()
    const plan = await bench.start('local/work', 'trusted')
    const preview = await append(bench, plan, { action: 'local/reads', dry_run: true })
    expect([preview.status, preview.child_plan_id, preview.impact.decisions]).toEqual(['preview', null, []])
    expect(preview.impact.warnings[0]).toBe(
      'A child plan runs local/reads on what local/work has so far; nothing is taken back.',
    )
    expect(preview.impact.gates_again).toEqual(['Apply these changes to your files?'])
    const digest = preview.impact.digest
    const done = await append(bench, plan, { action: 'local/reads', digest })
    const now = await status(bench, plan)
    expect([whereabouts(now), now.attempt, now.changes?.files]).toEqual([
      'execute/awaiting_input phase select_tool',
      1,
      2,
    ])
    expect(now.gates[0]?.digest).not.toBe(plan.gates[0]?.digest)
    expect(await patchOf(bench, now)).toContain('+saw work')

    const { plans } = await bench.backend.call('_cleveragents/plan/list', {})
    const child = plans.find(each => each.plan_id === done.child_plan_id)
    expect([child?.name, child?.parent_plan_id]).toEqual(['local/work/append-1', plan.plan_id])
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    const own = tree.decisions.filter(each => each.plan_id === plan.plan_id)
    expect(own.map(each => each.type)).toEqual([
      'prompt_definition',
      'implementation_choice',
      'user_intervention',
      'subplan_spawn',
    ])
    expect(own.at(-1)).toMatchObject({
      decision_id: child?.spawn_decision_id,
      parent_decision_id: own[2]?.decision_id,
      changes: { files: 1, additions: 1, deletions: 0 },
    })
    const applied = await bench.approve(now)
    expect([position(applied), await bench.read('more.txt')]).toEqual(['apply/applied', 'saw work'])
  })

  it('to an applied plan makes a child with an Apply gate of its own, and the plan stays applied', async () => {
    const bench = await benchWith()
    const plan = await bench.approve(await bench.start('local/work', 'trusted'))
    const done = await append(bench, plan, { guidance: 'path=again.txt' })
    const now = await status(bench, plan)
    expect(position(now)).toBe('apply/applied')
    expect(now.gates.map(gate => [gate.plan_id, gate.flag])).toEqual([[done.child_plan_id, 'select_tool']])
    const child = await status(bench, { plan_id: done.child_plan_id ?? '' })
    expect([child.applies_to, child.args]).toEqual(['project', { path: 'again.txt' }])
    await bench.approve(now)
    expect(await bench.read('again.txt')).toBe('work')
    const listed = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(listed.files.map(each => each.path)).toEqual(['work.txt'])
  })

  it('in Strategize waits for Execute, and is done before its first step', async () => {
    const bench = await benchWith()
    const plan = await bench.start('local/work', 'supervised')
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    await append(bench, plan, { guidance: 'path=first.txt' })
    const waiting = await status(bench, plan)
    expect([whereabouts(waiting), waiting.children[0]?.state]).toEqual([whereabouts(plan), 'queued'])
    const executing = await bench.approve(waiting)
    expect(executing.gates.map(gate => gate.path)).toEqual([['local/work', 'local/work/append-1']])
  })

  it('is named among the notices where the plan is made anew without it', async () => {
    const bench = await benchWith()
    const plan = await bench.start('local/work', 'supervised')
    await append(bench, plan, { guidance: 'path=first.txt' })
    const anew = await bench.change(plan, 'path=other.txt')
    expect([whereabouts(anew), anew.children[0]?.state]).toEqual([whereabouts(plan), 'cancelled'])
    expect(anew.notices).toContain(
      'The plan was made anew without the addition local/work/append-1 (path=first.txt). Append it again if it is still wanted.',
    )
  })

  it('lets a plan go on whose Apply met a conflict, and asks about both again', async () => {
    const bench = await benchWith()
    const plan = await bench.start('local/work', 'trusted')
    await bench.repository.write({ 'work.txt': 'mine' })
    expect(position(await bench.approve(plan))).toBe('apply/constrained')
    await append(bench, plan, { guidance: 'path=b2.txt' })
    const now = await status(bench, plan)
    expect([whereabouts(now), now.changes?.files]).toEqual(['execute/awaiting_input phase select_tool', 2])
    expect(await bench.read('work.txt')).toBe('mine')
  })

  it('lets a plan that failed go on from there', async () => {
    const bench = await benchWith()
    const failed = await bench.reject(await bench.start('local/fails', 'trusted'))
    expect(position(failed)).toBe('execute/errored')
    await append(bench, failed, { action: 'local/work', guidance: 'path=more.txt' })
    const now = await status(bench, failed)
    expect([whereabouts(now), now.changes?.files]).toEqual(['execute/awaiting_input phase select_tool', 1])
  })

  it('is what a correction of a plan means, and is refused in words where it makes no sense', async () => {
    const bench = await benchWith()
    const plan = await bench.start('local/work', 'trusted')
    const named = await bench.backend.call('_cleveragents/plan/correct', {
      decision_id: plan.plan_id,
      guidance: 'once more',
      dry_run: true,
    })
    expect([named.mode, named.plan_id]).toEqual(['append', plan.plan_id])
    const revert = { plan_id: plan.plan_id, mode: 'revert', guidance: 'x' } as const
    expect(await bench.backend.refusal('_cleveragents/plan/correct', revert)).toMatchObject({
      errorType: 'invalid_input',
    })
    const unknown = { plan_id: plan.plan_id, guidance: 'x', action: 'local/reeds' }
    expect((await bench.backend.refusal('_cleveragents/plan/correct', unknown)).message).toContain(
      'local/reads',
    )
    await append(bench, plan, { guidance: 'path=b.txt' })
    const child = (await status(bench, plan)).children[0]
    expect(
      await bench.backend.refusal('_cleveragents/plan/correct', {
        plan_id: child?.plan_id ?? '',
        guidance: 'x',
      }),
    ).toMatchObject({
      errorType: 'invalid_state',
      message: 'Plan local/work/append-1 is part of local/work by now. Append to local/work instead.',
    })
    await bench.backend.call('_cleveragents/plan/cancel', { plan_id: plan.plan_id })
    expect(
      (await bench.backend.refusal('_cleveragents/plan/correct', { plan_id: plan.plan_id, guidance: 'x' }))
        .message,
    ).toBe('Plan local/work was cancelled; nothing goes on from it. Start a new plan.')
  })
})

function status(bench: Bench, { plan_id }: { plan_id: string }): Promise<PlanView> {
  return bench.backend.call('_cleveragents/plan/status', { plan_id, wait: true })
}

function append(
  bench: Bench,
  { plan_id }: PlanView,
  more: { action?: string; guidance?: string; dry_run?: boolean; digest?: string },
) {
  return bench.backend.call('_cleveragents/plan/correct', {
    plan_id,
    mode: 'append',
    guidance: 'look at it again',
    wait: true,
    ...more,
  })
}

async function benchWith(): Promise<Bench> {
  const bench = await startBench()
  await bench.action('local/work', WORK)
  await bench.action('local/reads', READS)
  await bench.action('local/fails', FAILS)
  return bench
}
