import { createHash } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

describe('an action whose safety wants a person at every step', () => {
  it('shows each call whole, hears a refusal and changes, and remembers a standing approval for its tool only', async () => {
    const bench = await startBench()
    await bench.action(
      'local/asks',
      `
safety_profile: {require_human_approval: true}
arguments: [{name: text, type: string, default: hello}]
recipe:
  strategize:
    - tool: {name: builtin/read_file, with: {path: a.txt}}
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ args.text }}"}}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: more}}
    - validate: {command: grep -q more b.txt, mode: required}
`,
    )
    let plan = await bench.start('local/asks', 'auto')
    expect([whereabouts(plan), plan.gates[0]?.subject]).toEqual([
      'strategize/awaiting_input step_approval -',
      { kind: 'tool', tool: 'builtin/read_file', input: { path: 'a.txt' }, folder: bench.repository.root },
    ])
    plan = await bench.approve(plan)
    expect(plan.gates[0]?.subject['input']).toEqual({ path: 'a.txt', content: 'hello' })
    plan = await bench.change(plan, 'text=goodbye')
    expect(plan.gates[0]?.subject['input']).toEqual({ path: 'a.txt', content: 'goodbye' })
    plan = await bench.reject(plan, 'not that file')
    expect([whereabouts(plan), plan.gates[0]?.question]).toEqual([
      'execute/awaiting_input error -',
      expect.stringContaining('A person refused builtin/write_file: not that file.'),
    ])
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input step_approval -')
    plan = await bench.backend.call('_cleveragents/plan/approve', {
      plan_id: plan.plan_id,
      grant: 'plan',
      wait: true,
    })
    expect(plan.gates[0]?.subject).toMatchObject({
      tool: 'builtin/run_command',
      input: { command: 'grep -q more b.txt' },
    })
    const granted = await bench.backend.call('_cleveragents/grant/list', { plan_id: plan.plan_id })
    expect(granted.grants.map(each => [each.scope, each.flag, each.tool, each.granted_by])).toEqual([
      ['plan', 'step_approval', 'builtin/write_file', 'tester'],
    ])
    plan = await bench.approve(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
  })
})

describe('a failing step', () => {
  it('asks with its path, runs again after a repair, and can be given up and resumed', async () => {
    const bench = await startBench({ 'a.txt': 'one\none\n' })
    await bench.action(
      'local/edits',
      `
arguments: [{name: find, type: string, default: one}]
recipe:
  execute:
    - tool: {name: builtin/edit_file, with: {path: a.txt, find: "\${{ args.find }}", replace: two}}
    - tool: {name: builtin/read_file, with: {path: a.txt}, as: seen}
    - assert: {that: "\${{ !seen.content.contains('one\\\\none') }}", message: it is not changed}
    - ask: {question: Enough?, options: [{id: "yes", label: "Yes"}, {id: "no", label: "No"}], as: answer}
    - assert: {that: "\${{ answer.option_id == 'no' }}", message: it is never enough}
`,
    )
    let plan = await bench.start('local/edits', 'ci')
    expect(whereabouts(plan)).toBe('execute/awaiting_input error -')
    expect(plan.gates[0]?.question).toContain('execute[0] failed')
    expect(plan.gates[0]?.subject['step']).toBe('execute[0]')
    plan = await bench.reject(plan)
    expect([position(plan), plan.task_state]).toEqual(['execute/errored', 'failed'])
    plan = await bench.backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    expect(whereabouts(plan)).toBe('execute/awaiting_input error -')
    plan = await bench.backend.call('_cleveragents/plan/request-changes', {
      plan_id: plan.plan_id,
      guidance: 'find="one\none"',
      wait: true,
    })
    expect([whereabouts(plan), plan.gates[0]?.options.map(each => each.id)]).toEqual([
      'execute/awaiting_input ask -',
      ['yes', 'no'],
    ])
    plan = await bench.approve(plan)
    expect(plan.gates[0]?.question).toContain('it is never enough')
    const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    expect(steps.map(each => [each.path, each.status])).toEqual([
      ['execute[0]', 'failed'],
      ['execute[0]', 'failed'],
      ['execute[0]', 'done'],
      ['execute[1]', 'done'],
      ['execute[3]', 'done'],
    ])
  })
})

describe('a required check that fails', () => {
  const CHECKED = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: new.txt, content: new}}
    - validate: {command: "touch left-behind; exit 3", mode: informational}
    - validate: {command: "test -e door", mode: required}
`

  it('asks under supervised: again, go on without it and on record, or stop', async () => {
    const bench = await checked()
    let plan = await bench.approve(await bench.start('local/checked', 'supervised'))
    expect(whereabouts(plan)).toBe('execute/awaiting_input validation_fix create_file')
    plan = await bench.approve(plan, { option_id: 'again' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input validation_fix create_file')
    plan = await bench.approve(plan, { option_id: 'stop' })
    expect(position(plan)).toBe('execute/errored')
    plan = await bench.backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    plan = await bench.approve(plan, { option_id: 'go_on', note: 'known to be broken' })
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect(diff.files.map(file => file.path)).toEqual(['new.txt'])
    const tree = await bench.backend.call('_cleveragents/plan/tree', { plan_id: plan.plan_id })
    const words = tree.decisions.filter(each => each.type === 'user_intervention')
    expect(words.map(each => [each.question, each.chosen_option.label, each.rationale])).toEqual([
      [expect.stringContaining('failed. What now?'), 'Go on without it', 'known to be broken'],
    ])
  })

  it('asks under ci too when its action knows no way to fix it, and passes once it is repaired', async () => {
    const bench = await checked()
    let plan = await bench.start('local/checked', 'ci')
    expect([whereabouts(plan), plan.gates[0]?.reason]).toEqual([
      'execute/awaiting_input validation_fix create_file',
      'the action does not say how to fix it',
    ])
    await writeFile(join(bench.backend.dataDir, 'plans', plan.plan_id, 'root/project/door'), '')
    plan = await bench.approve(plan)
    expect([position(plan), await bench.read('new.txt')]).toEqual(['apply/applied', 'new'])
    const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id: plan.plan_id })
    expect(steps.filter(each => each.kind === 'validate').map(each => each.status)).toEqual([
      'failed',
      'failed',
      'done',
    ])
  })

  async function checked(): Promise<Bench> {
    const bench = await startBench()
    await bench.action('local/checked', CHECKED)
    return bench
  }
})

describe("the folder's own checks", () => {
  const OWN = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: new.txt, content: new}}
    - for_each: {over: "\${{ project.checks }}", as: check, steps: [{validate: {command: "\${{ check.command }}", mode: required}}]}
`

  it('run only once the folder is trusted, and are said not to have run before', async () => {
    const bench = await startBench({
      'package.json': '{"name": "p", "scripts": {"test": "node check.js"}}\n',
      'check.js': 'process.exit(0)\n',
    })
    await bench.action('local/own', OWN)
    const untrusted = await bench.start('local/own', 'auto')
    expect(whereabouts(untrusted)).toBe('execute/awaiting_input phase select_tool')
    expect(await checks(bench, untrusted)).toEqual([
      ['done', expect.stringContaining('the folder is not trusted')],
    ])
    await bench.backend.call('_cleveragents/project/trust', { project: bench.repository.root })
    const trusted = await bench.start('local/own', 'auto')
    expect(await checks(bench, trusted)).toEqual([['done', expect.stringContaining('passed')]])
  })

  it('are reported as not runnable where what they need is missing', async () => {
    const bench = await startBench({
      'package.json': '{"name": "p", "scripts": {"test": "vitest"}, "devDependencies": {"vitest": "1"}}\n',
    })
    await bench.action('local/own', OWN)
    await bench.backend.call('_cleveragents/project/trust', { project: bench.repository.root })
    const plan = await bench.start('local/own', 'auto')
    expect(whereabouts(plan)).toBe('execute/awaiting_input phase select_tool')
    expect(await checks(bench, plan)).toEqual([['done', expect.stringMatching(/^not run: /)]])
  })

  async function checks(bench: Bench, { plan_id }: PlanView) {
    const { steps } = await bench.backend.call('_cleveragents/plan/steps', { plan_id })
    return steps.filter(each => each.kind === 'validate').map(each => [each.status, each.summary])
  }
})

describe('a strategy that cannot be carried out', () => {
  it('is revised three times; then the question says that it went back so often', async () => {
    const bench = await startBench()
    await bench.action(
      'local/narrow',
      `
recipe:
  execute:
    - decide: {id: only, type: implementation_choice, question: This way?, choose: x, options: [{id: x, label: X}]}
`,
    )
    let plan = await bench.approve(await bench.start('local/narrow', 'supervised'))
    for (let revision = 1; revision <= 3; revision++) {
      plan = await bench.reject(plan)
      expect(whereabouts(plan)).toBe('execute/awaiting_input strategy_revision delete_content')
      plan = await bench.approve(await bench.approve(plan))
      expect([whereabouts(plan), plan.attempt]).toEqual([
        'execute/awaiting_input decision execute_command',
        revision + 1,
      ])
    }
    plan = await bench.reject(plan)
    expect(whereabouts(plan)).toBe('execute/awaiting_input strategy_revision delete_content')
    expect(plan.gates[0]?.reason).toContain('went back to Strategize 3 times')
  })
})

describe('a read-only action', () => {
  it('applies nothing, and a recipe of it that writes is refused when it is registered', async () => {
    const bench = await startBench()
    await bench.action(
      'local/looks',
      `
read_only: true
recipe:
  execute:
    - validate: {command: "echo changed > a.txt", mode: required}
`,
    )
    const plan = await bench.start('local/looks', 'manual')
    const ended = await bench.approve(await bench.approve(plan))
    expect([position(ended), ended.reason, await bench.read('a.txt')]).toEqual([
      'apply/applied',
      'nothing to apply',
      'one\n',
    ])
    const text = `name: local/w\ndescription: w\ndefinition_of_done: w\nstrategy_actor: builtin/recipe\nexecution_actor: builtin/recipe\nread_only: true\nrecipe:\n  execute:\n    - tool: {name: builtin/write_file, with: {path: a, content: b}}\n`
    const refused = await bench.backend.refusal('_cleveragents/action/create', { text, file: 'w.yaml' })
    expect(refused.message).toContain('this action is read_only')
  })
})

describe('a restore that fails', () => {
  it('fails the correction, errors the plan, and can be tried again once the cause is gone', async () => {
    const bench = await startBench({ 'a.txt': 'one\n' })
    await bench.action(
      'local/writes',
      `
recipe:
  execute:
    - decide: {id: how, type: implementation_choice, question: How?, choose: x, options: [{id: x, label: X}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: first}}
    - decide: {id: next, type: implementation_choice, question: Next?, choose: x, options: [{id: x, label: X, set: {text: x}}, {id: y, label: Y, set: {text: y}}]}
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "\${{ vars.text }}"}}
    - decide: {id: last, type: implementation_choice, question: Last?, choose: x, options: [{id: x, label: X}]}
`,
    )
    const plan = await bench.start('local/writes', 'auto')
    // As if the disk had lost the content that the correction goes back to.
    const id = createHash('sha1').update('blob 5\0first').digest('hex')
    const content = join(
      bench.backend.dataDir,
      'plans',
      plan.plan_id,
      'git/objects',
      id.slice(0, 2),
      id.slice(2),
    )
    await rename(content, `${content}-lost`)
    const answer = await bench.backend.client.call('_cleveragents/plan/correct', {
      decision_id: await bench.decision(plan, 'next'),
      mode: 'revert',
      guidance: 'y',
      wait: true,
    })
    expect(answer.ok).toBe(false)
    const failed = await bench.backend.call('_cleveragents/plan/status', { plan_id: plan.plan_id })
    expect([position(failed), failed.gates]).toEqual(['execute/errored', []])
    const events = await bench.backend.call('_cleveragents/event/list', { plan_id: plan.plan_id })
    const finished = events.events.filter(event => event.method === '_cleveragents/correction/finished')
    expect(finished).toEqual([
      expect.objectContaining({ correction: expect.objectContaining({ status: 'failed' }) }),
    ])
    await rename(`${content}-lost`, content)
    const again = await bench.correct(failed, 'next', 'y')
    expect(whereabouts(again)).toBe('execute/awaiting_input phase select_tool')
    const diff = await bench.backend.call('_cleveragents/plan/diff', { plan_id: plan.plan_id })
    expect([diff.files.map(file => file.path), diff.patch.includes('+y')]).toEqual([['a.txt'], true])
  })
})
