import { createHash } from 'node:crypto'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import { snapshotFolder } from '../support/folder-snapshot.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'
import { writeFiles } from '../support/repository.ts'
import { sandboxRoot } from '../support/work-action.ts'

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
    expect([whereabouts(latest.plan), latest.impact.restored, latest.plan.changes?.files]).toEqual([
      'execute/awaiting_input resume -',
      [{ path: 'c.txt', how: 'removed' }],
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

describe('the preview of a rollback', () => {
  it('lists what is restored, left alone and cannot be restored, binds the confirmation and changes nothing', async () => {
    const bench = await startBench({ 'a.txt': 'one\n', '.gitignore': 'cache\n' })
    await bench.action('local/command', COMMAND)
    const plan = await bench.start('local/command', 'auto')
    const root = sandboxOf(bench, plan)
    await writeFiles(root, { 'mine.txt': 'mine\n' })
    const before = [await snapshotFolder(root), await bench.backend.call('_cleveragents/plan/tree', plan)]
    const [checkpoint] = await checkpointsOf(bench, plan)

    const preview = await rollback(bench, plan, { checkpoint_id: checkpoint?.checkpoint_id, dry_run: true })

    expect([await snapshotFolder(root), await bench.backend.call('_cleveragents/plan/tree', plan)]).toEqual(
      before,
    )
    expect(preview).toMatchObject({
      status: 'preview',
      safety_checkpoint: null,
      checkpoint: { kind: 'decision', label: 'before #3 Two?' },
      impact: {
        restored: [
          { path: 'a.txt', how: 'brought_back' },
          { path: 'made/deep/b.txt', how: 'removed' },
        ],
        left_alone: [
          { what: 'mine.txt', why: 'changed by hand, not by a step of this plan' },
          { what: 'cache', why: 'changed under #3; it is ignored, so no checkpoint holds it' },
          { what: bench.repository.root, why: 'your own files; a rollback never touches them' },
        ],
        decisions: [{ number: 4 }],
      },
    })
    const command = preview.impact.cannot_restore.map(each => each.what)
    const confined = (await bench.backend.ports.confinement()).kind !== 'none'
    expect(command).toEqual(confined ? [] : [expect.stringContaining('rm a.txt')])

    await writeFiles(root, { 'another.txt': 'mine\n' })
    const stale = await bench.backend.refusal('_cleveragents/plan/rollback', {
      plan_id: plan.plan_id,
      checkpoint_id: checkpoint?.checkpoint_id ?? '',
      digest: preview.impact.digest,
    })
    expect(stale.errorType).toBe('stale_answer')
    await rm(join(root, 'another.txt'))
    const rolled = await rollback(bench, plan, {
      checkpoint_id: checkpoint?.checkpoint_id,
      digest: preview.impact.digest,
    })
    expect(rolled.impact.restored).toEqual(preview.impact.restored)
    expect(Object.keys(await snapshotFolder(root))).toEqual([
      '.gitignore',
      'a.txt',
      'cache/',
      'cache/x',
      'first.txt',
      'mine.txt',
    ])
  })

  it('stops where it would change what somebody else changed too', async () => {
    const bench = await startBench()
    await bench.action('local/stages', STAGES)
    const plan = await bench.start('local/stages', 'auto')
    const root = sandboxOf(bench, plan)
    await appendFile(join(root, 'c.txt'), 'mine')
    const before = await snapshotFolder(root)

    const refused = await bench.backend.refusal('_cleveragents/plan/rollback', { plan_id: plan.plan_id })

    expect([refused.errorType, refused.message]).toEqual([
      'conflict',
      expect.stringContaining('c.txt in the sandbox changed by hand'),
    ])
    expect(await snapshotFolder(root)).toEqual(before)
  })
})

describe('a rollback of a plan whose sandbox folder was deleted', () => {
  it('makes the folder anew with all that the checkpoint holds', async () => {
    const bench = await startBench()
    await bench.action('local/stages', STAGES)
    const plan = await bench.start('local/stages', 'auto')
    await rm(sandboxOf(bench, plan), { recursive: true })
    const [older] = await checkpointsOf(bench, plan)

    const rolled = await rollback(bench, plan, { checkpoint_id: older?.checkpoint_id })

    expect(rolled.impact.restored).toEqual([
      { path: 'a.txt', how: 'brought_back' },
      { path: 'b.txt', how: 'brought_back' },
    ])
    expect(Object.keys(await snapshotFolder(sandboxOf(bench, plan)))).toEqual(['a.txt', 'b.txt'])
    expect(whereabouts(await bench.approve(rolled.plan))).toBe('execute/awaiting_input phase select_tool')
  })
})

describe('taking a rollback back', () => {
  it('returns exactly there, and can itself be taken back', async () => {
    const bench = await startBench()
    await bench.action('local/stages', STAGES)
    const plan = await bench.start('local/stages', 'auto')
    const there = await everything(bench, plan)
    const [older] = await checkpointsOf(bench, plan)
    const rolled = await rollback(bench, plan, { checkpoint_id: older?.checkpoint_id })
    await bench.backend.call('_cleveragents/plan/prompt', { plan_id: plan.plan_id, guidance: 'three=y' })
    const back = await everything(bench, plan)
    const safeties = (await checkpointsOf(bench, plan)).filter(each => each.kind === 'safety')
    expect(safeties.map(each => each.label)).toEqual(['before the rollback to #3 Two?'])
    expect(rolled.safety_checkpoint).toEqual(safeties[0])

    const undone = await rollback(bench, plan, { checkpoint_id: safeties[0]?.checkpoint_id })

    expect(await everything(bench, plan)).toEqual(there)
    expect(undone.impact.decisions_again.map(each => each.question)).toEqual(['Three?'])
    expect(undone.impact.decisions.map(each => each.question)).toEqual(['Guidance'])
    expect([whereabouts(undone.plan), undone.plan.gates[0]?.question, undone.plan.attempt]).toEqual([
      'execute/awaiting_input resume -',
      'Rolled back to the state before the rollback to #3 Two?. Go on from here?',
      3,
    ])

    const redone = await rollback(bench, plan, { checkpoint_id: undone.safety_checkpoint?.checkpoint_id })
    expect(await everything(bench, plan)).toEqual(back)
    const again = await rollback(bench, plan, { checkpoint_id: redone.safety_checkpoint?.checkpoint_id })
    expect(await everything(bench, plan)).toEqual(there)

    const applied = await bench.approve(await bench.approve(again.plan))
    expect([position(applied), await bench.read('c.txt')]).toEqual(['apply/applied', 'x'])
  })

  it('of a correction brings the old line back, with the approval asked anew', async () => {
    const bench = await startBench()
    await bench.action('local/stages', STAGES)
    const plan = await bench.start('local/stages', 'auto')
    const there = await everything(bench, plan)
    const corrected = await bench.correct(plan, 'two', 'y')
    expect(whereabouts(corrected)).toBe('execute/awaiting_input phase select_tool')
    const safety = (await checkpointsOf(bench, plan)).find(each => each.kind === 'safety')
    expect(safety?.label).toBe('before the correction of #3 Two?')

    const undone = await rollback(bench, plan, { checkpoint_id: safety?.checkpoint_id })

    expect(await everything(bench, plan)).toEqual(there)
    const asked = await bench.approve(undone.plan)
    expect(whereabouts(asked)).toBe('execute/awaiting_input phase select_tool')
    expect(asked.gates[0]?.gate_id).not.toBe(plan.gates[0]?.gate_id)
    const applied = await bench.approve(asked)
    expect([position(applied), await bench.read('b.txt')]).toEqual(['apply/applied', 'x'])
  })
})

describe('a rollback that cannot restore a file', () => {
  it('changes nothing at all, and the plan ends with the reason until it is resumed', async () => {
    const bench = await startBench()
    await bench.action('local/versions', VERSIONS)
    const plan = await bench.start('local/versions', 'auto')
    const there = await everything(bench, plan)
    const [older] = await checkpointsOf(bench, plan)
    await loseContent(bench, plan, 'first version')

    const refused = await bench.backend.refusal('_cleveragents/plan/rollback', {
      plan_id: plan.plan_id,
      checkpoint_id: older?.checkpoint_id ?? '',
    })

    expect(refused.message).toContain('The sandbox is as it was before.')
    expect(await everything(bench, plan)).toEqual(there)
    const failed = await bench.backend.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
    expect([position(failed), failed.reason]).toEqual(['execute/errored', refused.message])
    const resumed = await bench.backend.call('_cleveragents/plan/resume', {
      plan_id: plan.plan_id,
      wait: true,
    })
    expect(whereabouts(resumed)).toBe('execute/awaiting_input phase select_tool')
    expect(await everything(bench, plan)).toEqual(there)
  })
})

const VERSIONS = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "first version"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "second version"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X}]}
`

/** As if the disk had lost it: the plan's store cannot give this content any more. */
async function loseContent({ backend }: Bench, { plan_id }: PlanView, text: string): Promise<void> {
  const id = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex')
  await rm(join(backend.dataDir, 'plans', plan_id, 'git', 'objects', id.slice(0, 2), id.slice(2)))
}

const COMMAND = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "one"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: "rm a.txt; mkdir -p made/deep cache; echo two > made/deep/b.txt; echo x > cache/x"}}
    - decide: {id: three, type: implementation_choice, question: Three?, choose: x, options: [{id: x, label: X}]}
`

function rollback(
  { backend }: Bench,
  { plan_id }: PlanView,
  { checkpoint_id, ...more }: { checkpoint_id: string | undefined; dry_run?: boolean; digest?: string },
) {
  if (checkpoint_id === undefined) throw new Error('no checkpoint to go back to')
  return backend.call('_cleveragents/plan/rollback', { plan_id, checkpoint_id, ...more })
}

async function checkpointsOf({ backend }: Bench, { plan_id }: PlanView) {
  return (await backend.call('_cleveragents/plan/checkpoint/list', { plan_id })).checkpoints
}

function sandboxOf({ backend, repository }: Bench, { plan_id }: PlanView): string {
  return sandboxRoot(backend.dataDir, plan_id, repository.root)
}

/** What a rollback that was taken back must leave as it was: bytes, decisions that hold, cursor and counts. */
async function everything(bench: Bench, plan: PlanView) {
  const { backend } = bench
  const tree = await backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
  const { cursors, plans } = backend.ports.store
  const planId = asId<PlanId>(plan.plan_id)
  const found = plans.find(planId)
  return {
    files: await snapshotFolder(sandboxOf(bench, plan), { times: 'ignored' }),
    decisions: tree.decisions,
    cursor: cursors.get(planId),
    counts: [found?.changes, found?.reversions, found?.guidance],
    diff: (await backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })).digest,
  }
}
