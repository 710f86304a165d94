import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId } from '../../src/domain/ids.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

const CHAIN = `
recipe:
  strategize:
    - decide: {id: where, type: strategy_choice, question: Which words?, choose: short, options: [{id: short, label: Short, set: {word: hi}}, {id: long, label: Long, set: {word: hello}}]}
  execute:
    - decide: {id: first, type: implementation_choice, question: First?, choose: x, options: [{id: x, label: X, set: {tail: x}}, {id: y, label: Y, set: {tail: y}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ vars.word }} \${{ vars.tail }}"}}
    - decide: {id: second, type: implementation_choice, question: Second?, choose: go, options: [{id: go, label: Go}, {id: no, label: No}]}
    - tool: {name: builtin/read_file, with: {path: a.txt}, as: seen}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: "saw \${{ seen.content }}"}}
    - decide: {id: third, type: implementation_choice, question: Third?, choose: plain, options: [{id: plain, label: Plain, set: {third: plain}}, {id: fancy, label: Fancy, set: {third: fancy}}]}
    - tool: {name: builtin/write_file, with: {path: c.txt, content: "\${{ vars.third }}"}}
`

const EARLY = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: early.txt, content: "early"}}
    - decide: {id: first, type: implementation_choice, question: First?, choose: x, options: [{id: x, label: X, set: {tail: x}}, {id: y, label: Y, set: {tail: y}}]}
    - tool: {name: builtin/write_file, with: {path: late.txt, content: "late \${{ vars.tail }}"}}
`

describe('a revert at the Apply gate', () => {
  it('of a strategy choice takes it again with the alternative, with all that rests on it, and keeps the rest', async () => {
    const bench = await startBench()
    const plan = await chainAtApply(bench)
    const before = await snapshotFolder(bench.repository.root)
    const again = await bench.correct(plan, 'where', 'long')
    expect([whereabouts(again), again.attempt]).toEqual(['execute/awaiting_input phase select_tool', 2])
    expect(await snapshotFolder(bench.repository.root)).toEqual(before)
    expect(await patch(bench, again)).toContain('+saw hello x')

    const active = await tree(bench, plan)
    expect(
      active
        .filter(each => each.key)
        .map(each => [each.key, each.chosen_option.id, each.is_correction, each.attempt]),
    ).toEqual([
      ['third', 'plain', false, 1],
      ['where', 'long', true, 2],
      ['first', 'x', true, 2],
      ['second', 'go', true, 2],
    ])
    const all = await tree(bench, plan, 'superseded')
    const old = all.filter(each => each.status === 'superseded')
    const intervention = all.find(each => each.type === 'user_intervention')
    const correctionIds = new Set(active.map(each => each.correction_id).filter(Boolean))
    expect(old.map(each => [each.key, each.attempt, each.superseded_reason])).toEqual(
      ['where', 'first', 'second'].map(key => [key, 1, 'correction']),
    )
    expect(old[0]?.superseded_by).toBe(intervention?.decision_id)
    expect([...correctionIds]).toHaveLength(1)
    expect(active.find(each => each.key === 'second')?.corrects_decision_id).toBe(old[0]?.decision_id)

    const diff = await bench.backend.call('_cleveragents/plan/diff', {
      plan_id: plan.plan_id,
      correction_id: [...correctionIds][0] ?? '',
    })
    expect(diff.files.map(file => file.path)).toEqual(['a.txt', 'b.txt'])
    expect([diff.patch.includes('-hi x'), diff.patch.includes('+hello x')]).toEqual([true, true])

    const applied = await bench.approve(again)
    expect([position(applied), await bench.read('b.txt')]).toEqual(['apply/applied', 'saw hello x'])
  })

  it('of the first choice of all keeps the work that was done before it', async () => {
    const bench = await startBench()
    await bench.action('local/early', EARLY)
    const plan = await bench.start('local/early', 'auto')
    const work = (await tree(bench, plan)).map(each => [each.key, each.changes?.files ?? null])
    expect(work).toEqual([
      [null, null],
      ['first', 1],
    ])
    const again = await bench.correct(plan, 'first', 'y')
    expect(again.changes?.files).toBe(2)
    expect(await patch(bench, again)).toContain('+early')
    expect(await patch(bench, again)).toContain('+late y')
  })

  it('of a choice in Execute returns the sandbox to its bytes then, twice in a row and of a correction', async () => {
    const bench = await startBench()
    let plan = await chainAtApply(bench)
    plan = await bench.correct(plan, 'first', 'y')
    expect(await patch(bench, plan)).toContain('+saw hi y')
    const work = (await tree(bench, plan)).map(each => [each.key, each.changes?.files ?? null])
    expect(work.filter(([key]) => key)).toEqual([
      ['where', null],
      ['third', 1],
      ['first', 1],
      ['second', 1],
    ])
    plan = await bench.correct(plan, 'third', 'fancy')
    expect(await patch(bench, plan)).toContain('+fancy')
    plan = await bench.correct(plan, 'first', 'x')
    expect([plan.attempt, await patch(bench, plan)]).toEqual([4, expect.stringContaining('+saw hi x')])
    const keys = (await tree(bench, plan)).flatMap(each => each.key ?? [])
    expect(keys).toEqual(['where', 'third', 'first', 'second'])
    const ofSecond = await bench.backend.call('_cleveragents/plan/diff', {
      plan_id: plan.plan_id,
      decision_id: await bench.decision(plan, 'second'),
    })
    expect(ofSecond.files.map(file => file.path)).toEqual(['b.txt'])
    const superseded = (await tree(bench, plan, 'superseded')).find(
      each => each.key === 'first' && each.attempt === 1,
    )
    const ofOld = await bench.backend.call('_cleveragents/plan/diff', {
      plan_id: plan.plan_id,
      decision_id: superseded?.decision_id ?? '',
    })
    expect([ofOld.files.map(file => file.path), ofOld.patch.includes('+hi x')]).toEqual([['a.txt'], true])
  })

  it('with words that name no option lets a person choose, and voids what was asked before', async () => {
    const bench = await startBench()
    const plan = await chainAtApply(bench)
    const asked = plan.gates[0]?.gate_id ?? ''
    const again = await bench.correct(plan, 'third', 'make it nicer')
    expect(whereabouts(again)).toBe('execute/awaiting_input decision execute_command')
    expect(again.gates[0]?.subject['guidance']).toBe('make it nicer')
    const stale = await bench.backend.refusal('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      gate_id: asked,
    })
    expect([stale.errorType, stale.message]).toEqual(['stale_answer', expect.stringContaining('is void')])
    const chosen = await bench.approve(again, { option_id: 'fancy' })
    expect(await patch(bench, chosen)).toContain('+fancy')
  })
})

describe('the preview of a revert', () => {
  it('names what depends on the decision and why, what is kept, and changes nothing', async () => {
    const bench = await startBench()
    const plan = await chainAtApply(bench)
    const before = await everything(bench, plan)
    const preview = await bench.backend.call('_cleveragents/plan/correct', {
      decision_id: await bench.decision(plan, 'first'),
      mode: 'revert',
      guidance: 'y',
      dry_run: true,
    })
    expect(await everything(bench, plan)).toEqual(before)
    expect([preview.status, preview.correction_id, preview.impact.tier]).toEqual(['preview', null, 'full'])
    const reasons = preview.impact.decisions.map(each => [each.question, each.why])
    expect(reasons).toEqual([
      ['First?', 'the decision being corrected'],
      ['Second?', expect.stringMatching(/^read a\.txt, written under #\d+$/)],
    ])
    expect(preview.impact.restored).toEqual([
      { path: 'a.txt', how: 'rewritten' },
      { path: 'b.txt', how: 'rewritten' },
    ])
    expect([preview.impact.left_alone, preview.impact.cannot_restore]).toEqual([
      [{ what: bench.repository.root, why: 'your own files; a rollback never touches them' }],
      [],
    ])
    expect(preview.impact.kept).toEqual([
      await bench.decision(plan, 'where'),
      await bench.decision(plan, 'third'),
    ])
    expect(preview.impact.warnings).toEqual([])
  })

  it('names the approvals of steps that will be asked for again', async () => {
    const bench = await startBench()
    await bench.action('local/careful', `safety_profile: {require_human_approval: true}${EARLY}`)
    let plan = await bench.start('local/careful', 'auto')
    while (plan.gates[0]?.kind === 'step_approval') plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const preview = await bench.backend.call('_cleveragents/plan/correct', {
      decision_id: await bench.decision(plan, 'first'),
      mode: 'revert',
      guidance: 'y',
      dry_run: true,
    })
    expect(preview.impact.gates_again).toEqual(['Run builtin/write_file?'])
  })

  it('binds the confirmation: what moved since is shown anew', async () => {
    const bench = await startBench()
    const plan = await chainAtApply(bench)
    const revert = {
      decision_id: await bench.decision(plan, 'third'),
      mode: 'revert' as const,
      guidance: 'fancy',
    }
    const preview = await bench.backend.call('_cleveragents/plan/correct', { ...revert, dry_run: true })
    const other = await bench.backend.call('_cleveragents/plan/correct', {
      ...revert,
      digest: preview.impact.digest.slice(0, 12),
      wait: true,
    })
    expect(other.status).toBe('done')
    const answer = await bench.backend.client.call('_cleveragents/plan/correct', {
      decision_id: await bench.decision(plan, 'second'),
      mode: 'revert',
      guidance: 'no',
      digest: preview.impact.digest,
    })
    expect(!answer.ok && answer.failure.errorType).toBe('stale_answer')
  })
})

describe('a revert is refused', () => {
  it('where it makes no sense, before anything is touched', async () => {
    const bench = await startBench()
    const { backend } = bench
    const plan = await chainAtApply(bench)
    const first = await bench.decision(plan, 'first')
    const other = await bench.start('local/chain', 'manual')
    const root = (await tree(bench, plan))[0]?.decision_id ?? ''
    const ask = (params: Record<string, unknown>) =>
      backend.refusal('_cleveragents/plan/correct', { guidance: 'y', mode: 'revert', ...params })
    expect((await ask({ decision_id: root })).message).toContain('recorded by the system')
    expect((await ask({ decision_id: first, plan_id: other.plan_id })).message).toContain(
      'does not belong to plan',
    )
    expect((await ask({ decision_id: first, mode: undefined })).message).toContain('--mode revert')
    expect((await ask({ plan_id: plan.plan_id })).message).toContain('needs a decision')

    await bench.approve(await bench.approve(other))
    await backend.call('_cleveragents/plan/cancel', { plan_id: other.plan_id })
    expect((await ask({ decision_id: await bench.decision(other, 'where') })).message).toContain('cancelled')
    const again = await bench.correct(plan, 'first', 'y')
    expect((await ask({ decision_id: first })).message).toContain('already superseded')
    const applied = await bench.approve(again)
    const now = await bench.decision(applied, 'first')
    const refused = await ask({ decision_id: now })
    expect([refused.errorType, refused.message]).toEqual([
      'invalid_state',
      expect.stringContaining('The plan is applied'),
    ])
  })
})

describe('a revert reaches a plan', () => {
  it('that still strategises, that is paused and that is errored', async () => {
    const bench = await startBench()
    await bench.action('local/chain', CHAIN)
    let plan = await bench.start('local/chain', 'supervised')
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    plan = await bench.correct(plan, 'where', 'long')
    expect([whereabouts(plan), plan.attempt]).toEqual(['strategize/awaiting_input phase create_tool', 2])
    plan = await bench.reject(plan, 'not now')
    expect(whereabouts(plan)).toBe('strategize/paused')
    plan = await bench.correct(plan, 'where', 'short')
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    plan = await bench.approve(await bench.approve(plan))
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    plan = await bench.reject(await bench.reject(plan))
    expect(whereabouts(plan)).toBe('execute/awaiting_input strategy_revision delete_content')
    plan = await bench.reject(plan, 'give up')
    expect([position(plan), plan.task_state]).toEqual(['execute/errored', 'failed'])
    plan = await bench.correct(plan, 'first', 'y')
    expect(whereabouts(plan)).toBe('execute/awaiting_input decision execute_command')
    expect(plan.gates[0]?.subject['proposed']).toMatchObject({ id: 'y' })
  })

  it('that asks about its strategy alone, though later work is kept', async () => {
    const bench = await startBench()
    await bench.action('local/chain', CHAIN)
    let plan = await bench.start('local/chain', 'supervised')
    while (whereabouts(plan) !== 'execute/awaiting_input phase select_tool') plan = await bench.approve(plan)
    plan = await bench.correct(plan, 'where', 'long')
    expect(whereabouts(plan)).toBe('strategize/awaiting_input phase create_tool')
    expect(plan.gates[0]?.subject['summary']).toBe('Which words? → Long')
  })

  it('whose Apply met a conflict', async () => {
    const bench = await startBench()
    let plan = await chainAtApply(bench)
    await bench.repository.write({ 'c.txt': 'mine\n' })
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('apply/constrained constrained access_network')
    plan = await bench.correct(plan, 'third', 'fancy')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await bench.read('c.txt')).toBe('mine\n')
  })
})

async function chainAtApply(bench: Bench): Promise<PlanView> {
  await bench.action('local/chain', CHAIN)
  const plan = await bench.start('local/chain', 'auto')
  expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
  return plan
}

async function tree(bench: Bench, plan: PlanView, show: 'active' | 'superseded' = 'active') {
  const found = await bench.backend.call('_cleveragents/plan/tree', {
    plan_id: plan.plan_id,
    show_superseded: show === 'superseded',
  })
  return found.decisions
}

async function patch(bench: Bench, plan: PlanView): Promise<string> {
  const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
  return diff.patch
}

/** What a preview computes is kept among the states of the plan's own store; nothing refers to it yet. */
async function stateless(folder: string): Promise<Record<string, string>> {
  const all = await snapshotFolder(folder)
  return Object.fromEntries(
    Object.entries(all).filter(([path]) => !/^git\/(objects|refs\/plans\/replayed)\//.test(path)),
  )
}

/** All that a correction could change: the store's rows of the plan, its events, the sandbox and the user's files. */
async function everything(bench: Bench, plan: PlanView) {
  const { store } = bench.backend.ports
  const planId = asId<Parameters<typeof store.plans.find>[0]>(plan.plan_id)
  return {
    plan: store.plans.find(planId),
    decisions: store.decisions.listByPlan(planId),
    influences: store.decisions.influences(planId),
    gates: store.gates.listByPlan(planId),
    steps: store.steps.listByPlan(planId),
    cursor: store.cursors.get(planId),
    checkpoints: store.checkpoints.listByPlan(planId),
    corrections: store.corrections.listByPlan(planId),
    events: store.events.lastSeq(),
    sandbox: await stateless(`${bench.backend.dataDir}/plans/${plan.plan_id}`),
    user: await snapshotFolder(bench.repository.root),
  }
}
