import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytes } from '../support/contract-files.ts'
import { position, startBench, startBenchOn, whereabouts } from '../support/purpose-made.ts'
import { makePlainFolder, makeRepository } from '../support/repository.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WORK = `
recipe:
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X, set: {one: x}}, {id: y, label: Y, set: {one: y}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ vars.one }}"}}
    - decide: {id: two, type: implementation_choice, question: Two?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/run_command, with: {command: "echo two > b.txt"}}
    - validate: {command: "touch left-behind && test -f b.txt"}
    - ask: {question: Sure?, options: [{id: go, label: Go}]}
`

describe('a plan on a folder that is no repository', () => {
  it('goes from its first decision over diff, check and revert to Apply', async () => {
    const root = await makePlainFolder({ 'a.txt': 'one\n', 'kept.txt': 'kept\n' })
    const bench = await startBenchOn(root)
    const { backend } = bench
    await bench.action('local/work', WORK)

    let plan = await bench.start('local/work', 'ci')
    expect(whereabouts(plan)).toBe('execute/awaiting_input ask -')
    expect(plan.sandbox).toMatchObject({ strategy: 'filesystem_copy', place: 'beside', restores: 'always' })
    expect(await bench.read('a.txt')).toBe('one\n')
    const { plan_id } = plan
    const diff = await backend.call('_cleveragents/plan/diff', { plan_id })
    expect(diff.files.map(file => file.path)).toEqual(['a.txt', 'b.txt'])

    plan = await bench.correct(plan, 'one', 'y')
    expect(whereabouts(plan)).toBe('execute/awaiting_input ask -')
    plan = await bench.approve(plan)

    expect(position(plan)).toBe('apply/applied')
    expect([await bench.read('a.txt'), await bench.read('b.txt')]).toEqual(['y', 'two\n'])
    expect(Object.keys(await bytes(root))).toEqual(['a.txt', 'b.txt', 'kept.txt'])
  })
})

describe('the sandbox of a plan', () => {
  it('is a worktree in a repository and a copy elsewhere, unless it is named', async () => {
    const bench = await startBench()
    await bench.action('local/work', WORK)

    const byItself = await bench.start('local/work', 'manual')
    const named = await bench.start('local/work', 'manual', {}, 'filesystem_copy')

    expect([byItself.sandbox.strategy, named.sandbox.strategy]).toEqual(['git_worktree', 'filesystem_copy'])
    expect([byItself.notices, named.notices]).toEqual([[], []])
    expect(named.sandbox.protects.join(' ')).toContain('until you approve Apply')
    expect(named.sandbox.does_not_protect.join(' ')).toContain('outside the sandbox')
  })

  it('is what the setting of the project says', async () => {
    const bench = await startBench()
    await bench.action('local/work', WORK)
    const { backend } = bench
    const first = await bench.start('local/work', 'manual')
    await backend.call('_cleveragents/config/set', {
      key: 'sandbox.strategy',
      value: 'filesystem_copy',
      project: first.project.name,
    })

    const second = await bench.start('local/work', 'manual')
    const asked = await bench.start('local/work', 'manual', {}, 'auto')

    expect([second.sandbox.strategy, asked.sandbox.strategy]).toEqual(['filesystem_copy', 'git_worktree'])
  })

  it('that was named and cannot be had rejects the plan with the reason and the nearest; a misspelt one makes none', async () => {
    const bench = await startBenchOn(await makePlainFolder({ 'a.txt': 'one\n' }))
    await bench.action('local/work', WORK)
    const use = (sandbox: string, automation_profile = 'ci') =>
      bench.backend.refusal('_cleveragents/plan/use', {
        action_name: 'local/work',
        folder: bench.repository.root,
        automation_profile,
        sandbox,
      })

    expect(await use('git_worktree')).toMatchObject({
      errorType: 'preflight_failed',
      message: expect.stringMatching(
        /not the working folder of a git repository.+--sandbox filesystem_copy/s,
      ),
    })
    expect(await use('filesystem-copy')).toMatchObject({
      errorType: 'invalid_input',
      message: expect.stringContaining('Did you mean filesystem_copy?'),
    })
    expect(await use('none')).toMatchObject({
      errorType: 'preflight_failed',
      message: expect.stringMatching(/PRE-04 .+requires a sandbox.+\nPRE-05 .+keeps no checkpoints/),
    })
    const kept = bench.backend.ports.store.plans.list({ limit: 9 })
    expect(kept.map(({ position: at }) => at)).toEqual(['action/errored', 'action/errored'])
  })

  it('is the next best where the expected one refuses, and a notice says which and why', async () => {
    const other = join(await temporaryFolder(), 'elsewhere')
    await mkdir(other)
    await writeFile(join(other, 'a.txt'), 'one\n')
    const repository = await makeRepository({ files: { 'a.txt': 'one\n' } })
    await repository.git('config', 'core.worktree', other)
    const bench = await startBenchOn(repository.root)
    await bench.action('local/work', WORK)

    const plan = await bench.start('local/work', 'ci')

    expect(plan.sandbox.strategy).toBe('filesystem_copy')
    const because = expect.stringMatching(
      /^The sandbox is filesystem_copy, because git_worktree cannot be had/,
    )
    expect(plan.notices[0]).toEqual(because)
    const approved = await bench.approve(plan)
    expect([position(approved), approved.notices[0]]).toEqual(['apply/applied', because])
    expect(await readFile(join(other, 'a.txt'), 'utf8')).toBe('x')
    expect(await bench.read('a.txt')).toBe('one\n')
  })
})

describe('a plan without a sandbox', () => {
  it('says so everywhere, writes at once, and returns to nothing', async () => {
    const root = await makePlainFolder({ 'a.txt': 'one\n' })
    const bench = await startBenchOn(root)
    const { backend } = bench
    await bench.action('local/work', WORK)

    const plan = await bench.start('local/work', 'full-auto', {}, 'none')
    const { plan_id } = plan
    const files = await bytes(root)
    const decision_id = await bench.decision(plan, 'one')
    const [dryRun, correction, rollback] = [
      await backend.refusal('_cleveragents/plan/correct', {
        decision_id,
        mode: 'revert',
        guidance: 'y',
        dry_run: true,
      }),
      await backend.refusal('_cleveragents/plan/correct', { decision_id, mode: 'revert', guidance: 'y' }),
      await backend.refusal('_cleveragents/plan/rollback', { plan_id }),
    ]

    expect(plan.sandbox).toMatchObject({ strategy: 'none', place: 'in_place', restores: 'never' })
    expect(plan.notices[0]).toMatch(/^There is no sandbox: the plan works in your own files/)
    expect(await bench.read('a.txt')).toBe('x')
    for (const refused of [dryRun, correction, rollback])
      expect(refused).toMatchObject({
        errorType: 'not_available',
        message: expect.stringContaining('--mode append'),
      })
    expect(await bytes(root)).toEqual(files)
    const diff = await backend.call('_cleveragents/plan/diff', { plan_id })
    expect(diff.files.map(file => file.path)).toEqual(['a.txt', 'b.txt', 'left-behind'])
    expect(whereabouts(await backend.call('_cleveragents/plan/status', { plan_id }))).toBe(
      'execute/awaiting_input ask -',
    )

    const ended = await bench.approve(plan)

    expect([position(ended), ended.changes?.files]).toEqual(['apply/applied', 3])
    expect(Object.keys(await bytes(root))).toEqual(['a.txt', 'b.txt', 'left-behind'])
  })
})
