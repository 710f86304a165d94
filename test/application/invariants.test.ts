import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { type Bench, position, startBench, whereabouts } from '../support/purpose-made.ts'

const WRITES = `
invariants:
  - Keep it small
  - {text: Few files, key: changed_files, rule: max, value: 5}
recipe:
  strategize:
    - decide: {id: what, type: strategy_choice, question: What?, choose: x, options: [{id: x, label: X}]}
  execute:
    - decide: {id: one, type: implementation_choice, question: One?, choose: x, options: [{id: x, label: X}, {id: y, label: Y}]}
    - tool: {name: builtin/write_file, with: {path: api/a.txt, content: one}}
    - tool: {name: builtin/write_file, with: {path: b.txt, content: two}}
`

const PARENT = `
recipe:
  execute:
    - spawn: {action: local/writes, as: child}
`

async function enforced({ backend }: Bench, { plan_id }: PlanView, superseded = false) {
  const tree = await backend.call('_cleveragents/plan/tree', { plan_id, show_superseded: superseded })
  return tree.decisions.filter(each => each.type === 'invariant_enforced' && each.plan_id === plan_id)
}

describe('invariants of every scope', () => {
  it('are reconciled before Strategize, each a decision with what it was chosen over and why', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    const project = bench.repository.root
    const add = (params: Parameters<typeof backend.call<'_cleveragents/invariant/add'>>[1]) =>
      backend.call('_cleveragents/invariant/add', params)
    await add({ text: 'keep it small.', project })
    await add({ text: 'Hardly any', project, key: 'changed_files', rule: 'max', value: 1 })
    await add({ text: 'Licences', global: true, key: 'licence', rule: 'forbid', value: 'gpl' })
    const firm = await add({
      text: 'Node stays',
      global: true,
      key: 'node',
      rule: 'equals',
      value: 22,
      non_overridable: true,
    })
    await add({ text: 'Node goes on', actions: ['local/writes'], key: 'node', rule: 'equals', value: 24 })

    const plan = await backend.use({
      action_name: 'local/writes',
      folder: project,
      automation_profile: 'manual',
      invariants: ['Said with the plan'],
    })
    const before = await enforced(bench, plan)
    const planning = await bench.approve(plan)
    const decisions = await enforced(bench, planning)

    expect(before).toEqual([])
    expect(plan.invariants).toEqual(planning.invariants)
    const told = decisions.map(({ chosen_option: { label, rationale: rule }, rationale, alternatives }) =>
      [label, rule, rationale, ...alternatives.map(each => `${each.label}: ${each.rationale}`)].filter(
        Boolean,
      ),
    )
    const { name } = planning.project
    expect(told).toEqual([
      [
        'Node stays',
        'node equals 22',
        'an invariant of all plans that may not be overridden',
        'Node goes on: "node equals 22" and "node equals 24" cannot both hold; the one for all plans may not be overridden',
      ],
      ['Said with the plan', 'an invariant of this plan'],
      [
        'Few files',
        'changed_files max 5, checked before Apply',
        'an invariant of action local/writes',
        `Hardly any: "changed_files max 5" and "changed_files max 1" cannot both hold; the one of action local/writes wins over the one of project ${name}`,
      ],
      ['Keep it small', `an invariant of action local/writes; project ${name} says the same`],
      ['Licences', 'licence forbid gpl', 'an invariant of all plans'],
    ])
    expect(decisions.every(each => each.gate_confidence === null && each.parent_decision_id !== null)).toBe(
      true,
    )
    // Five to keep and two conflicts: 0.1 each and 0.3 each, at most 1.
    expect(planning.gates[0]?.factors?.invariants).toBe(1)

    const held = await backend.call('_cleveragents/invariant/effective', { plan_id: plan.plan_id })
    expect(held.invariants.map(({ text }) => text)).toEqual(planning.invariants)
    const [stated] = firm.invariants
    const removed = await backend.call('_cleveragents/invariant/remove', {
      invariant_id: stated?.invariant_id ?? '',
    })
    expect(removed.text).toBe('Node stays')
    const there = await backend.call('_cleveragents/invariant/effective', { project })
    expect(there.invariants.map(({ text, source }) => `${text} of ${source}`)).toEqual([
      `Hardly any of project ${plan.project.name}`,
      `keep it small. of project ${plan.project.name}`,
      'Licences of all plans',
    ])
    const listed = await backend.call('_cleveragents/invariant/list', { plans: [plan.plan_id] })
    expect(listed.invariants.map(({ text, from_action }) => [text, from_action])).toEqual([
      ['Keep it small', 'local/writes'],
      ['Few files', 'local/writes'],
      ['Node goes on', 'local/writes'],
      ['Said with the plan', null],
    ])
  })

  it('that nothing may override and that contradict each other keep a plan from Strategize until one is removed', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    const node = (text: string, value: number) =>
      backend.call('_cleveragents/invariant/add', {
        text,
        global: true,
        key: 'node',
        rule: 'equals',
        value,
        non_overridable: true,
      })
    await node('Old', 22)
    const newer = await node('New', 24)

    const plan = await bench.start('local/writes', 'auto')
    expect(position(plan)).toBe('strategize/errored')
    expect(plan.reason).toContain('"New" (node equals 24) and "Old" (node equals 22)')
    expect(await enforced(bench, plan)).toEqual([])

    await backend.call('_cleveragents/invariant/remove', {
      invariant_id: newer.invariants[0]?.invariant_id ?? '',
    })
    const again = await backend.call('_cleveragents/plan/resume', { plan_id: plan.plan_id, wait: true })
    expect(whereabouts(again)).toBe('execute/awaiting_input phase select_tool')
    expect(again.invariants).toEqual(['Old', 'Few files', 'Keep it small'])
  })
})

describe('invariants that change while a plan runs', () => {
  it('are recorded anew at Execute and asked about; refused, they are asked about again', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    const waiting = await bench.start('local/writes', 'supervised')
    expect(whereabouts(waiting)).toBe('strategize/awaiting_input phase create_tool')
    const { plan_id } = waiting
    const loose = {
      text: 'More files',
      plans: [plan_id],
      key: 'changed_files',
      rule: 'max' as const,
      value: 50,
    }
    await backend.call('_cleveragents/invariant/add', loose)
    await backend.call('_cleveragents/invariant/add', { text: 'No jokes', plans: [plan_id] })

    const asked = await backend.call('_cleveragents/plan/execute', { plan_id, wait: true })
    expect(whereabouts(asked)).toBe('execute/awaiting_input confirmation -')
    expect(asked.gates[0]?.subject).toMatchObject({ summary: 'new: No jokes (of this plan)' })
    const rejected = await bench.reject(asked)
    expect(position(rejected)).toBe('execute/errored')
    const again = await backend.call('_cleveragents/plan/resume', { plan_id, wait: true })
    expect(again.gates[0]?.subject).toEqual(asked.gates[0]?.subject)
    const going = await bench.approve(again)
    expect(whereabouts(going)).toBe('execute/awaiting_input decision execute_command')

    const all = await enforced(bench, going, true)
    expect(all.map(each => `${each.chosen_option.label} ${each.phase} ${each.status}`)).toEqual([
      'Few files strategize superseded',
      'Keep it small strategize active',
      'No jokes execute active',
      'More files execute active',
    ])
    expect(all.at(-1)?.alternatives.map(({ label }) => label)).toEqual(['Few files'])
  })

  it('after the question before Apply was answered hold all the same: a broken rule refuses, words are asked about', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    const { plan_id } = await bench.start('local/writes', 'auto')
    const state = (text: string, rule = {}) =>
      backend.call('_cleveragents/invariant/add', { text, plans: [plan_id], ...rule })
    const [hands] = (await state('Hands off', { rule: 'forbid_path', value: 'api/**' })).invariants
    await state('Tests pass')

    const refused = await backend.call('_cleveragents/plan/apply', { plan_id, wait: true })
    expect(whereabouts(refused)).toBe('apply/awaiting_input error -')
    expect(refused.gates[0]?.question).toContain('api/a.txt is written')
    await backend.call('_cleveragents/invariant/remove', { invariant_id: hands?.invariant_id ?? '' })
    const asked = await bench.approve(refused, { option_id: 'retry' })
    expect(whereabouts(asked)).toBe('apply/awaiting_input confirmation -')
    expect(asked.gates[0]?.subject).toMatchObject({ summary: 'new: Tests pass (of this plan)' })
    expect(await bench.read('b.txt')).toBe('two\n')
    const applied = await bench.approve(asked)
    expect(position(applied)).toBe('apply/applied')
    expect(applied.invariants).toContain('Tests pass')
    expect(await bench.read('b.txt')).toBe('two')
  })
})

describe('a rule that can be measured', () => {
  it('refuses Apply with the file and the invariant, under a profile that asks nobody too', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    const rule = { rule: 'unchanged' as const, value: 'api/**' }
    const stated = await backend.call('_cleveragents/invariant/add', {
      text: 'The API stays',
      project: bench.repository.root,
      ...rule,
    })

    const plan = await bench.start('local/writes', 'ci')
    expect(whereabouts(plan)).toBe('execute/awaiting_input error -')
    expect(plan.gates[0]?.question).toContain('"The API stays"')
    expect(plan.gates[0]?.question).toContain('api/a.txt is changed')
    await expect(bench.read('api/a.txt')).rejects.toThrow('ENOENT')

    const still = await bench.approve(plan, { option_id: 'retry' })
    expect(whereabouts(still)).toBe('execute/awaiting_input error -')
    await backend.call('_cleveragents/invariant/remove', {
      invariant_id: stated.invariants[0]?.invariant_id ?? '',
    })
    const applied = await bench.approve(still, { option_id: 'retry' })
    expect(position(applied)).toBe('apply/applied')
    expect(await bench.read('api/a.txt')).toBe('one')
  })
})

describe('the children of a plan', () => {
  it('keep what it keeps, told with where it comes from, and the rules of their own actions', async () => {
    const bench = await startBench()
    const { backend } = bench
    await bench.action('local/writes', WRITES)
    await bench.action('local/parent', PARENT)
    const tight = { text: 'One file', key: 'changed_files', rule: 'max' as const, value: 1 }
    await backend.call('_cleveragents/invariant/add', { ...tight, actions: ['local/writes'] })
    const plan = await backend.use({
      action_name: 'local/parent',
      folder: bench.repository.root,
      automation_profile: 'auto',
      invariants: ['Keep it small', 'From above'],
    })
    const child = plan.children[0]
    const held = await backend.call('_cleveragents/invariant/effective', { plan_id: child?.plan_id ?? '' })
    expect(held.invariants.map(({ text, source, also_from }) => [text, source, also_from])).toEqual([
      ['From above', `plan ${plan.name} above it`, []],
      ['Keep it small', `plan ${plan.name} above it`, ['action local/writes']],
      ['One file', 'action local/writes', []],
    ])
    expect(plan.gates[0]?.path).toEqual([plan.name, child?.name])
    expect(plan.gates[0]?.question).toContain('changed files: 2, and the rule is changed_files max 1')
  })
})
