import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'
import { writeFiles } from '../support/repository.ts'
import { sandboxRoot } from '../support/work-action.ts'

const STAGES = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: first.txt, content: "plan"}}
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/read_file, with: {path: b.txt}, as: seen}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: c.txt, content: "saw \${{ seen.content }}"}}
    - tool: {name: builtin/run_command, with: {command: "echo made > by-command.txt"}}
`

describe('what somebody changed in the sandbox by hand', () => {
  it('is asked about before the plan goes on, and becomes part of it as a decision with its files', async () => {
    const { bench, plan } = await drifted('supervised')
    expect(whereabouts(plan)).toBe('execute/awaiting_input drift execute_command')
    expect(plan.gates[0]).toMatchObject({
      question: 'a.txt and 2 more changed in the sandbox, and no step of this plan did it. What now?',
      subject: {
        kind: 'drift',
        changes: [
          { path: 'a.txt', how: 'removed' },
          { path: 'b.txt', how: 'changed' },
          { path: 'mine.txt', how: 'added' },
        ],
      },
    })

    const applied = await toTheEnd(bench, await bench.approve(plan, { option_id: 'adopt', note: 'mine' }))

    expect(position(applied)).toBe('apply/applied')
    expect(await projectFiles(bench)).toEqual({ a: null, b: 'by hand\n', c: 'saw by hand\n', mine: 'mine\n' })
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    const adopted = tree.decisions.find(each => each.type === 'user_intervention')
    expect(adopted).toMatchObject({
      question: 'a.txt and 2 more changed in the sandbox by hand. What now?',
      chosen_option: { id: 'adopt', label: 'Make it part of the plan' },
      rationale: 'mine',
      decided_by: 'human',
      changes: { files: 3 },
    })
    const decision_id = adopted?.decision_id ?? ''
    const explained = await bench.backend.call('_cleveragents/plan/explain', { decision_id })
    expect(explained.files.map(file => [file.path, file.status])).toEqual([
      ['a.txt', 'deleted'],
      ['b.txt', 'modified'],
      ['mine.txt', 'added'],
    ])
    expect(explained.steps.map(step => [step.kind, step.summary])).toEqual([
      ['adopt', '3 files changed by hand became part of the plan'],
    ])
    const later = tree.decisions.find(each => each.key === 'two')?.decision_id
    expect(tree.edges).toContainEqual(
      expect.objectContaining({ upstream_decision_id: decision_id, why: expect.stringContaining('b.txt') }),
    )
    expect(later).toBeDefined()
  })

  it('is put back when a person says so, and a safety checkpoint brings it back', async () => {
    const { bench, plan } = await drifted('supervised')

    const next = await bench.approve(plan, { option_id: 'discard' })

    expect(whereabouts(next)).toBe('execute/awaiting_input decision execute_command')
    expect(await sandboxFiles(bench, plan)).toEqual({ a: 'one\n', b: 'two\n', c: null, mine: null })
    const { checkpoints } = await bench.backend.call('_cleveragents/plan/checkpoint/list', {
      plan_id: plan.plan_id,
    })
    const safety = checkpoints.find(each => each.kind === 'safety')
    expect(safety?.label).toBe('before a.txt and 2 more was put back')
    const checkpoint_id = safety?.checkpoint_id ?? ''
    await bench.backend.call('_cleveragents/plan/rollback', { plan_id: plan.plan_id, checkpoint_id })
    expect(await sandboxFiles(bench, plan)).toEqual({ a: null, b: 'by hand\n', c: null, mine: 'mine\n' })
  })

  it('stays untouched when the plan is stopped, and is asked about again when it is resumed', async () => {
    const { bench, plan } = await drifted('supervised')
    const stopped = await bench.reject(plan)
    expect(position(stopped)).toBe('execute/errored')
    const resumed = await bench.backend.call('_cleveragents/plan/resume', {
      plan_id: plan.plan_id,
      wait: true,
    })
    expect(whereabouts(resumed)).toBe('execute/awaiting_input drift execute_command')
    expect(await sandboxFiles(bench, plan)).toEqual({ a: null, b: 'by hand\n', c: null, mine: 'mine\n' })
  })

  it('becomes part of the plan without a question where the profile decides by itself, and a notice says so', async () => {
    const bench = await startBench({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    await bench.action('local/stages', STAGES)
    const asked = await bench.start('local/stages', 'auto')
    await writeFiles(sandboxOf(bench, asked), { 'mine.txt': 'mine\n' })
    const again = await bench.correct(asked, 'two', 'x')
    expect([whereabouts(asked), whereabouts(again)]).toEqual([
      'execute/awaiting_input phase select_tool',
      'execute/awaiting_input phase select_tool',
    ])
    expect(again.notices).toContain('mine.txt changed in the sandbox by hand and became part of the plan.')
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: asked.plan_id })
    expect(tree.decisions.find(each => each.chosen_option.id === 'adopt')?.decided_by).toBe('profile')
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: asked.plan_id })
    expect(diff.files.map(file => file.path)).toEqual(['by-command.txt', 'c.txt', 'first.txt', 'mine.txt'])
  })
})

/** A plan that waits at its first decision in Execute while somebody edits, deletes and adds files in its sandbox. */
async function drifted(profile: string): Promise<{ bench: Bench; plan: PlanView }> {
  const bench = await startBench({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  await bench.action('local/stages', STAGES)
  const waiting = await bench.approve(await bench.start('local/stages', profile))
  expect(whereabouts(waiting)).toBe('execute/awaiting_input decision execute_command')
  const root = sandboxOf(bench, waiting)
  await writeFiles(root, { 'b.txt': 'by hand\n', 'mine.txt': 'mine\n' })
  await rm(join(root, 'a.txt'))
  return { bench, plan: await bench.approve(waiting) }
}

async function toTheEnd(bench: Bench, plan: PlanView): Promise<PlanView> {
  let at = plan
  while (at.state === 'awaiting_input') at = await bench.approve(at)
  return at
}

function sandboxOf({ backend, repository }: Bench, { plan_id }: PlanView): string {
  return sandboxRoot(backend.dataDir, plan_id, repository.root)
}

function sandboxFiles(bench: Bench, plan: PlanView) {
  return filesIn(sandboxOf(bench, plan))
}

function projectFiles({ repository }: Bench) {
  return filesIn(repository.root)
}

async function filesIn(root: string) {
  const read = (name: string) => readFile(join(root, name), 'utf8').catch(() => null)
  return {
    a: await read('a.txt'),
    b: await read('b.txt'),
    c: await read('c.txt'),
    mine: await read('mine.txt'),
  }
}
