import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, patchOf, startBench, whereabouts } from '../support/purpose-made.ts'
import { waitFor } from '../support/wait-for.ts'
import { sandboxRoot } from '../support/work-action.ts'

const FILES = { '.gitignore': 'deps/\n', 'a.txt': 'one\n', lock: 'as it was\n' }

const TWO_COMMANDS = `
recipe:
  execute:
    - tool: {name: builtin/run_command, with: {command: cat deps/count > a.txt}}
    - tool: {name: builtin/run_command, with: {command: cat deps/count >> a.txt}}
`

const COUNTS = 'mkdir -p deps && echo run >> deps/count'

async function benchWith(command: string, folder: 'trusted' | 'untrusted' = 'trusted') {
  const bench = await startBench(FILES)
  const project = bench.repository.root
  await bench.backend.call('_cleveragents/project/set-up', { project, command })
  if (folder === 'trusted') await bench.backend.call('_cleveragents/project/trust', { project })
  await bench.action('local/two', TWO_COMMANDS)
  return bench
}

async function setUpSteps({ backend }: Bench, { plan_id }: PlanView) {
  const { steps } = await backend.call('_cleveragents/plan/steps', { plan_id })
  return steps.filter(step => step.path === 'set-up').map(step => [step.status, step.summary])
}

describe('the set-up step of a project', () => {
  it('runs once, before the first command, and what git ignores of it stays', async () => {
    const bench = await benchWith(COUNTS)
    const plan = await bench.start('local/two', 'auto')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await setUpSteps(bench, plan)).toEqual([['done', 'exit code 0']])
    expect(await patchOf(bench, plan)).toContain('-one\n+run\n+run\n')
  })

  it('runs before a check too', async () => {
    const bench = await benchWith(COUNTS)
    await bench.action('local/check', 'recipe:\n  execute:\n    - validate: {command: test -f deps/count}\n')
    const plan = await bench.start('local/check', 'auto')
    expect(plan.state).toBe('applied')
    expect(await setUpSteps(bench, plan)).toHaveLength(1)
  })

  it('does not run where the folder is not trusted, and the plan says how to trust it', async () => {
    const bench = await benchWith(COUNTS, 'untrusted')
    const plan = await bench.start('local/two', 'auto')
    expect(await setUpSteps(bench, plan)).toEqual([])
    const notices = plan.notices.filter(notice => notice.includes('set-up'))
    expect(notices).toEqual([
      expect.stringMatching(/was not run: the folder is not trusted\..*agents project trust local\//),
    ])
  })

  it('leaves tracked and new files as they were, and names them', async () => {
    const bench = await benchWith(`${COUNTS}; echo other > lock; echo new > beside`)
    const plan = await bench.start('local/two', 'auto')
    expect(await patchOf(bench, plan)).not.toMatch(/lock|beside/)
    expect(plan.notices).toContainEqual(expect.stringMatching(/it was put back: lock, beside\.$/))
  })

  it('does not run again for a child that has what it made, and says so', async () => {
    const bench = await benchWith(COUNTS)
    await bench.action('local/parent', `${TWO_COMMANDS}    - spawn: {action: local/two, as: again}\n`)
    const plan = await bench.start('local/parent', 'trusted')
    const [child] = plan.children
    if (!child) throw new Error('no child')
    const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id: child.plan_id })
    const [first] = steps
    expect([first?.path, first?.status, first?.summary]).toEqual([
      'set-up',
      'done',
      'not run again: what it made was brought along from local/parent',
    ])
    expect(await patchOf(bench, plan)).toContain('-one\n+run\n+run\n')
  })

  it('asks when it fails, and goes on without it when a person says so', async () => {
    const bench = await benchWith('echo no such package >&2; exit 3')
    const asked = await bench.start('local/two', 'auto')
    expect(whereabouts(asked)).toBe('execute/awaiting_input error -')
    expect(asked.gates[0]).toMatchObject({
      question: 'The set-up step failed: echo no such package >&2; exit 3. What now?',
      subject: { message: 'exit code 3\nno such package' },
    })
    const plan = await bench.approve(asked, { option_id: 'go_on' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await setUpSteps(bench, plan)).toEqual([['refused', 'a person went on without it']])
  })

  it('runs again when a person says so, with the command as it is by then', async () => {
    const bench = await benchWith('exit 3')
    const asked = await bench.start('local/two', 'auto')
    const again = await bench.approve(asked, { option_id: 'retry' })
    expect(whereabouts(again)).toBe('execute/awaiting_input error -')
    const project = bench.repository.root
    await bench.backend.call('_cleveragents/project/set-up', { project, command: COUNTS })
    const plan = await bench.approve(again, { option_id: 'retry' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await patchOf(bench, plan)).toContain('+run')
  })

  it('has a question of its own where a person approves every step', async () => {
    const bench = await benchWith(COUNTS)
    await bench.action('local/two', `safety_profile: {require_human_approval: true}\n${TWO_COMMANDS}`)
    const asked = await bench.start('local/two', 'auto')
    expect(asked.gates[0]).toMatchObject({ kind: 'step_approval', subject: { input: { command: COUNTS } } })
    const first = await bench.approve(asked)
    expect(first.gates[0]).toMatchObject({
      kind: 'step_approval',
      subject: { input: { command: expect.stringContaining('cat') } },
    })
    expect(await setUpSteps(bench, first)).toEqual([['done', 'exit code 0']])
    const other = await bench.reject(await bench.start('local/two', 'auto'), 'not today')
    expect(await setUpSteps(bench, other)).toEqual([
      ['refused', 'A person refused builtin/run_command: not today.'],
    ])
  })

  it('begins again after it was cut short', async () => {
    const bench = await benchWith(
      `test -f deps/begun || { ${COUNTS}; echo half > lock; touch deps/begun; exec sleep 600; }`,
    )
    const { backend, repository } = bench
    const plan = await backend.use({
      action_name: 'local/two',
      automation_profile: 'auto',
      folder: repository.root,
      wait: false,
    })
    const root = sandboxRoot(backend.dataDir, plan.plan_id, repository.root)
    await waitFor(() => existsSync(join(root, 'deps', 'begun')))
    const asked = await backend.call('_cleveragents/plan/interrupt', { plan_id: plan.plan_id })
    expect(await setUpSteps(bench, plan)).toEqual([['interrupted', 'interrupted']])
    const ended = await bench.approve(asked)
    expect(await setUpSteps(bench, ended)).toEqual([['done', 'exit code 0']])
    expect(await patchOf(bench, ended)).toMatch(/\+run\n(?![\s\S]*lock)/)
  })

  it('is forgotten again, and refused without a command', async () => {
    const { backend, repository } = await benchWith(COUNTS)
    const project = repository.root
    const shown = await backend.call('_cleveragents/project/show', { project })
    expect(shown.set_up).toEqual({ command: COUNTS, network: false })
    const refusal = await backend.refusal('_cleveragents/project/set-up', { project, command: ' ' })
    expect(refusal.message).toContain('needs a command')
    const none = await backend.call('_cleveragents/project/set-up', { project, command: null })
    expect(none.set_up).toBeNull()
  })
})
