import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { agentsHere } from '../support/agents-here.ts'
import { makeRepository } from '../support/repository.ts'
import { agentsIn, ended } from '../support/run-agents.ts'
import { eventually } from '../support/wait-for.ts'

const use = ['plan', 'use', 'builtin/replace-text', '--arg', 'find=colour', '--arg', 'replace=color']

it('refuses an answer that is bound to what is no longer shown, with 6, and the plan still waits', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'colour\n' } })
  const agents = await agentsHere(repository.root)
  const { data } = await agents.record(...use, '--automation-profile', 'supervised')
  const [gate] = data.gates

  const stale = await agents.run('plan', 'approve', data.plan_id, gate.gate_id, '--digest', 'feedfeedfeed')
  const answered = await agents.run('plan', 'approve', data.plan_id, gate.gate_id)
  const repeated = await agents.run('plan', 'approve', data.plan_id, gate.gate_id)

  expect([stale.code, answered.code, repeated.code]).toEqual([6, 3, 6])
})

it('prints a patch that git apply takes, before anything has touched the tree', async () => {
  const repository = await makeRepository({
    files: { 'a b.txt': 'colour\r\nlast line without an end: colour' },
  })
  const agents = await agentsHere(repository.root)
  await agents.run(...use, '--automation-profile', 'auto')
  expect(await repository.git('status', '--porcelain')).toBe('')

  const { out } = await agents.run('plan', 'diff', '@latest')
  const applied = spawnSync('git', ['apply', '-'], { cwd: repository.root, input: out, encoding: 'utf8' })

  expect({ status: applied.status, stderr: applied.stderr }).toEqual({ status: 0, stderr: '' })
  expect(await readFile(join(repository.root, 'a b.txt'), 'utf8')).toBe(
    'color\r\nlast line without an end: color',
  )
})

it('corrects a decision by its number, bound to the preview, and shows the old line on request', async () => {
  const repository = await makeRepository({ files: { 'src/a.txt': 'colour\n', 'test/a.txt': 'colour\n' } })
  const agents = await agentsHere(repository.root)
  await agents.run(...use, '--automation-profile', 'auto')
  const { data } = await agents.record('plan', 'tree', '@latest')
  const target = data.decisions.find((each: { type: string }) => each.type === 'strategy_choice')
  const [other] = target.alternatives
  const typed = ['plan', 'correct', `@latest#${target.number}`, '--mode', 'revert', '--guidance', other.id]

  const preview = await agents.record(...typed, '--dry-run')
  const unsure = await agents.run(...typed)
  const corrected = await agents.run(...typed, '--yes')

  expect(preview.data).toMatchObject({ status: 'preview', decision_id: target.decision_id })
  expect(unsure.code).toBe(2)
  expect(corrected.code).toBe(3)
  const whole = await agents.record('plan', 'tree', '@latest', '--show-superseded')
  const old = whole.data.decisions.find(
    (each: { decision_id: string }) => each.decision_id === target.decision_id,
  )
  expect(old.status).toBe('superseded')
})

it('runs the demo without a terminal: tree, gates with thresholds, diff, 0', async () => {
  const repository = await makeRepository()
  const agents = await agentsHere(repository.root)
  const run = await agents.run('demo')
  expect(run.code).toBe(0)
  expect(run.out).toContain('#1 prompt_definition')
  expect(run.out).toMatch(/Gates passed\n {4}.*threshold \.00/)
  expect(run.out).toContain('diff --git')
})

it('pauses the plan of an interrupted command, which then goes on to its end', async () => {
  const files = Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, 'colour\n'])
  const repository = await makeRepository({ files: Object.fromEntries(files) })
  const agents = await agentsIn(repository.root)
  const child = agents.start(...use, '--automation-profile', 'ci')
  child.stderr?.on('data', piece => {
    if (String(piece).includes('strategize running')) child.kill('SIGINT')
  })
  const run = await ended(child)
  expect({ code: run.code, says: run.err.includes('agents plan resume') }).toEqual({ code: 130, says: true })

  const codes = [(await agents.run('plan', 'resume', '@latest')).code]
  // A step that was under way is asked about first.
  while (codes.at(-1) === 3 && codes.length < 5)
    codes.push((await agents.run('plan', 'approve', '@latest')).code)

  expect(codes.at(-1)).toBe(0)
  expect(await readFile(join(repository.root, 'f0.txt'), 'utf8')).toBe('color\n')
})

it('leaves a plan and its children to a process of their own, which ends with them', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'colour\n', 'b.txt': 'grey\n' } })
  await repository.write({ 'two.yaml': TWO_CHILDREN })
  const agents = await agentsIn(repository.root)
  await agents.run('action', 'create', '--config', 'two.yaml')

  const left = await agents.record(
    'plan',
    'use',
    'local/two',
    '--automation-profile',
    'full-auto',
    '--detach',
  )
  expect(left).toMatchObject({ exit_code: 0, data: { name: 'local/two' } })
  await eventually(async () => {
    const { data } = await agents.record('plan', 'status', left.data.plan_id)
    expect([data.state, data.runner]).toEqual(['applied', null])
  })

  const texts = ['a.txt', 'b.txt'].map(name => readFile(join(repository.root, name), 'utf8'))
  expect(await Promise.all(texts)).toEqual(['color\n', 'gray\n'])
})

const TWO_CHILDREN = `
name: local/two
description: Two spellings at once
definition_of_done: both are replaced
strategy_actor: builtin/recipe
execution_actor: builtin/recipe
recipe:
  execute:
    - spawn:
        parallel:
          - {action: builtin/replace-text, args: {find: colour, replace: color, glob: a.txt}, as: one}
          - {action: builtin/replace-text, args: {find: grey, replace: gray, glob: b.txt}, as: two}
`
