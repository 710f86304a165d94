import { describe, expect, it } from 'vitest'
import type { Params } from '../../src/a2a/protocol/methods.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, startBench, whereabouts } from '../support/purpose-made.ts'

const WRITE = `
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: loud, options: [{id: loud, label: Loudly, set: {mark: "!"}}, {id: calm, label: Calmly, set: {mark: "."}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "A\${{ vars.mark }}\\n"}}
    - tool: {name: builtin/write_file, with: {path: src/b.txt, content: "B\${{ vars.mark }}\\n"}}
    - tool: {name: builtin/write_file, with: {path: src/c.txt, content: "C\${{ vars.mark }}\\n"}}
`

describe('applying a part of the changes', () => {
  it('writes the chosen file or folder alone, asks about the rest, and has what was left on record', async () => {
    const { bench, plan } = await atApply()
    const before = plan.gates[0]
    const part = await apply(bench, plan, { only: ['src'] })
    expect(await files(bench)).toEqual(['a\n', 'B!\n', 'C!\n'])
    expect([whereabouts(part), part.applied, part.left]).toEqual([
      'execute/awaiting_input phase select_tool',
      'part',
      { files: 1, additions: 1, deletions: 1 },
    ])
    expect(part.gates[0]).toMatchObject({
      question: 'Apply the rest of these changes to your files?',
      reason: 'a part was applied; the rest is yours to decide',
      options: [{ id: 'go' }, { id: 'leave', effect: 'reject' }],
    })
    expect(part.gates[0]?.digest).not.toBe(before?.digest)
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    expect(tree.decisions.at(-1)).toMatchObject({
      type: 'user_intervention',
      question: 'Which part is applied?',
      chosen_option: { label: 'src/b.txt, src/c.txt' },
      rationale: 'Not applied so far: a.txt',
    })
    const stored = bench.backend.ports.store.plans.findByName(plan.name)
    expect(stored?.guidance).toEqual(['Not applied so far: a.txt'])

    const whole = await apply(bench, part)
    expect([whereabouts(whole), whole.applied, whole.left]).toEqual(['apply/applied', 'all', null])
    expect(await files(bench)).toEqual(['A!\n', 'B!\n', 'C!\n'])
  })

  it('shows what is left in its diff, what was applied, and both', async () => {
    const { bench, plan } = await atApply()
    const diff = async (part?: 'left' | 'applied' | 'all') => {
      const shown = await bench.backend.call('_cleveragents/plan/diff', {
        plan_id: plan.plan_id,
        ...(part ? { part } : {}),
      })
      return [shown.part, shown.files.map(file => file.path)]
    }
    expect(await diff()).toEqual(['all', ['a.txt', 'src/b.txt', 'src/c.txt']])
    await apply(bench, plan, { only: ['src/b.txt'] })
    expect(await diff()).toEqual(['left', ['a.txt', 'src/c.txt']])
    expect(await diff('applied')).toEqual(['applied', ['src/b.txt']])
    expect(await diff('all')).toEqual(['all', ['a.txt', 'src/b.txt', 'src/c.txt']])
    await apply(bench, plan)
    expect(await diff()).toEqual(['all', ['a.txt', 'src/b.txt', 'src/c.txt']])
    expect(await diff('left')).toEqual(['left', []])
  })

  it('leaves what was left unapplied when a person says so, and never looks unapplied then', async () => {
    const { bench, plan } = await atApply()
    const part = await apply(bench, plan, { only: ['src'] })
    const closed = await bench.reject(part, 'not my style')
    expect([whereabouts(closed), closed.applied, closed.reason, closed.task_state]).toEqual([
      'apply/applied',
      'part',
      'applied in part; 1 file was left: not my style',
      'completed',
    ])
    expect(await files(bench)).toEqual(['a\n', 'B!\n', 'C!\n'])
  })

  it('still says what was applied when the plan is cancelled', async () => {
    const { bench, plan } = await atApply()
    await apply(bench, plan, { only: ['src'] })
    const cancelled = await bench.backend.call('_cleveragents/plan/cancel', { plan_id: plan.plan_id })
    expect([whereabouts(cancelled), cancelled.applied, cancelled.reason]).toEqual([
      'execute/cancelled',
      'part',
      'cancelled; a part is applied and stays in your files',
    ])
  })

  it('goes on from what is applied when the rest is to be different', async () => {
    const { bench, plan } = await atApply()
    const part = await apply(bench, plan, { only: ['src/b.txt'] })
    const changed = await bench.change(part, 'how=calm')
    expect(whereabouts(changed)).toBe('execute/awaiting_input phase select_tool')
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(file => file.path)).toEqual(['a.txt', 'src/b.txt', 'src/c.txt'])
    const applied = await bench.approve(changed)
    expect([whereabouts(applied), applied.applied]).toEqual(['apply/applied', 'all'])
    expect(await files(bench)).toEqual(['A.\n', 'B.\n', 'C.\n'])
  })

  it('takes single hunks of the diff, and refuses what is none of them before the gate is answered', async () => {
    const { bench, plan } = await atApply()
    const { patch } = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    const [, first = '', second = ''] = patch.split(/^(?=diff --git)/m)
    const invented = await bench.backend.refusal('_cleveragents/plan/apply', {
      plan_id: plan.plan_id,
      hunks: second.replace('+C!', '+evil'),
    })
    expect([invented.errorType, invented.message]).toEqual([
      'invalid_input',
      expect.stringContaining('nothing was applied'),
    ])
    const hunks = Buffer.from(first).toString('base64')
    const part = await apply(bench, plan, { hunks, hunks_encoding: 'base64' })
    expect([whereabouts(part), part.left?.files]).toEqual(['execute/awaiting_input phase select_tool', 2])
    expect(await files(bench)).toEqual(['a\n', 'B!\n', 'c\n'])
    const none = await bench.backend.refusal('_cleveragents/plan/apply', {
      plan_id: plan.plan_id,
      picks: [{ path: 'a.txt', hunks: [2] }],
    })
    expect(none.message).toBe('a.txt has no hunk 2. Nothing was applied.')
    const picks = [{ path: 'a.txt', hunks: [1] }, { path: 'src/c.txt' }]
    expect(whereabouts(await apply(bench, part, { picks }))).toBe('apply/applied')
  })

  it('refuses before the gate is answered: unknown paths, applied ones, none at all, and two ways at once', async () => {
    const { bench, plan } = await atApply()
    const refused = async (params: object) => {
      const failure = await bench.backend.refusal('_cleveragents/plan/apply', {
        plan_id: plan.plan_id,
        ...params,
      })
      return [failure.errorType, failure.message]
    }
    expect(await refused({ only: ['a.txt', 'nowhere.txt'] })).toEqual([
      'not_found',
      'The plan changes no file at nowhere.txt. Nothing was applied.',
    ])
    expect(await refused({ only: ['../a.txt'] })).toEqual([
      'invalid_input',
      expect.stringContaining('leaves'),
    ])
    expect(await refused({ only: ['a.txt'], hunks: 'x' })).toEqual([
      'invalid_input',
      'Choose paths or hunks, not both at once.',
    ])
    expect((await refused({ only: [] }))[0]).toBe('invalid_input')
    await apply(bench, plan, { only: ['a.txt'] })
    expect(await refused({ only: ['a.txt'] })).toEqual([
      'invalid_state',
      'Applied already: a.txt. Nothing was changed.',
    ])
    expect(await files(bench)).toEqual(['A!\n', 'b\n', 'c\n'])
  })

  it('is bound to the digest of what was shown, and to the gate before Apply', async () => {
    const { bench, plan } = await atApply()
    const first = plan.gates[0]?.digest ?? ''
    await apply(bench, plan, { only: ['a.txt'] })
    const stale = await bench.backend.refusal('_cleveragents/plan/apply', {
      plan_id: plan.plan_id,
      only: ['src'],
      digest: first,
    })
    expect(stale.errorType).toBe('stale_answer')
    const early = await bench.start('local/write', 'manual')
    const elsewhere = await bench.backend.refusal('_cleveragents/plan/approve', {
      plan_id: early.plan_id,
      only: ['a.txt'],
    })
    expect(elsewhere.message).toBe('Only an approval of Apply can be for a part of the changes.')
  })

  it('changes nothing the second time, and says where the plan stands', async () => {
    const { bench, plan } = await atApply()
    await apply(bench, plan)
    await bench.repository.write({ 'a.txt': 'mine since\n' })
    const again = await apply(bench, plan)
    expect(whereabouts(again)).toBe('apply/applied')
    expect(await files(bench)).toEqual(['mine since\n', 'B!\n', 'C!\n'])
  })
})

describe('a conflict', () => {
  it('is shown with its kind and its reason, and the other files can be applied without it', async () => {
    const { bench, plan } = await atApply()
    await bench.repository.write({ 'src/b.txt': 'mine\n' })
    const met = await apply(bench, plan)
    expect(whereabouts(met)).toBe('apply/constrained constrained access_network')
    expect(await files(bench)).toEqual(['a\n', 'mine\n', 'c\n'])
    const [gate] = met.gates
    expect(gate?.subject).toEqual({
      kind: 'constrained',
      conflicts: [
        { path: 'src/b.txt', kind: 'content', reason: expect.stringContaining('changed the same lines') },
      ],
      others: ['a.txt', 'src/c.txt'],
    })
    expect(gate?.options.map(option => option.id)).toEqual(['retry', 'rest', 'redo', 'stop'])

    const part = await bench.approve(met, { option_id: 'rest' })
    expect([whereabouts(part), part.applied, part.left?.files]).toEqual([
      'execute/awaiting_input phase select_tool',
      'part',
      1,
    ])
    expect(await files(bench)).toEqual(['A!\n', 'mine\n', 'C!\n'])

    const again = await apply(bench, part)
    expect(again.gates[0]?.options.map(option => option.id)).toEqual(['retry', 'stop'])
    const closed = await bench.reject(again)
    expect([whereabouts(closed), closed.applied]).toEqual(['apply/applied', 'part'])
    expect(await files(bench)).toEqual(['A!\n', 'mine\n', 'C!\n'])
  })

  it('can be answered with a part of one own choice', async () => {
    const { bench, plan } = await atApply()
    await bench.repository.write({ 'src/b.txt': 'mine\n' })
    const met = await apply(bench, plan)
    const part = await apply(bench, met, { only: ['a.txt'] })
    expect([whereabouts(part), part.left?.files]).toEqual(['execute/awaiting_input phase select_tool', 2])
    expect(await files(bench)).toEqual(['A!\n', 'mine\n', 'c\n'])
  })

  it('offers no other files where there are none', async () => {
    const { bench, plan } = await atApply()
    await bench.repository.write({ 'a.txt': 'x\n', 'src/b.txt': 'y\n', 'src/c.txt': 'z\n' })
    const met = await apply(bench, plan)
    expect(met.gates[0]?.options.map(option => option.id)).toEqual(['retry', 'redo', 'stop'])
  })
})

async function atApply(): Promise<{ bench: Bench; plan: PlanView }> {
  const bench = await startBench({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/c.txt': 'c\n' })
  await bench.action('local/write', WRITE)
  const plan = await bench.start('local/write', 'auto')
  expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
  return { bench, plan }
}

function apply(
  bench: Bench,
  { plan_id }: PlanView,
  part: Omit<Params<'_cleveragents/plan/apply'>, 'plan_id'> = {},
): Promise<PlanView> {
  return bench.backend.call('_cleveragents/plan/apply', { plan_id, wait: true, ...part })
}

function files(bench: Bench): Promise<string[]> {
  return Promise.all(['a.txt', 'src/b.txt', 'src/c.txt'].map(bench.read))
}
