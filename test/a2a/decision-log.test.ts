import { describe, expect, it } from 'vitest'
import type { Params } from '../../src/a2a/protocol/methods.ts'
import { type DecisionLogView, logRules } from '../../src/a2a/protocol/views/decision-log.ts'
import { checkLog } from '../../src/a2a/server/decision-log/check-log.ts'
import { decisionLogMarkdown } from '../../src/cli/render/decision-log.ts'
import { automationGateNames, flagOf } from '../../src/domain/gate/automation.ts'
import { position, startBench } from '../support/purpose-made.ts'

const LOGGED = `
arguments:
  - {name: api_key, type: string, required: true}
invariants: [Keep it small]
recipe:
  strategize:
    - decide: {id: what, type: strategy_choice, question: What?, choose: x, confidence: 0.9, rationale: it is there, options: [{id: x, label: X, rationale: near}, {id: y, label: Y, rationale: too far}]}
  execute:
    - tool: {name: builtin/write_file, with: {path: a.txt, content: "password=hunter2!!"}}
    - validate: {command: "test -f a.txt", mode: required}
    - spawn: {action: local/child, as: child}
`
const CHILD = `
recipe:
  execute:
    - tool: {name: builtin/write_file, with: {path: c.txt, content: c}}
`

const EXTRA = 'name: extra\ndescription: Nice to have\nmode: informational\ncommand: test -f extra\n'
const WRAPS = `name: wraps
description: The file is there
wraps: builtin/list_files
transform: '\${{ size(output.paths) > 0 }}'
`

async function loggedPlan() {
  const bench = await startBench()
  await bench.action('local/child', CHILD)
  await bench.action('local/logged', LOGGED)
  const { root } = bench.repository
  await bench.backend.call('_cleveragents/project/create', { path: root })
  for (const text of [EXTRA, WRAPS]) {
    const { name } = await bench.backend.call('_cleveragents/validation/add', { text, file: 'v.yaml' })
    await bench.backend.call('_cleveragents/validation/attach', { name, project: root })
  }
  const waiting = await bench.start('local/logged', 'auto', { api_key: 'q1w2e3r4t5' })
  const plan = await bench.approve(waiting, { note: 'looks right' })
  expect(position(plan)).toBe('apply/applied')
  return { backend: bench.backend, plan_id: plan.plan_id }
}

describe('the decision log of a plan', () => {
  it('names as stops the questions that a guard opened before Apply', async () => {
    const bench = await startBench()
    const { call } = bench.backend
    await bench.action(
      'local/plain',
      'recipe: {execute: [{tool: {name: builtin/write_file, with: {path: a.txt, content: x}}}]}',
    )
    const text = JSON.stringify({
      name: 'local/asks-at-apply',
      description: 'asks before Apply alone',
      ...Object.fromEntries(automationGateNames.map(gate => [flagOf(gate), gate === 'autoApply' ? 1 : 0])),
      guards: { require_approval_for_apply: true },
    })
    await call('_cleveragents/automation-profile/add', { text, file: 'asks.yaml' })
    const plan = await bench.start('local/plain', 'local/asks-at-apply')
    const log = await call('_cleveragents/plan/export', { plan_id: plan.plan_id })
    const [gate] = plan.gates

    expect(gate?.kind).toBe('phase')
    expect(log.stops).toMatchObject([{ gate_id: gate?.gate_id, kind: 'guard', reason: gate?.reason }])
    expect(decisionLogMarkdown(log)).toContain(`guard: ${gate?.reason}`)
  })

  it('tells everything without the program and without secrets, and is taken back only as it was written', async () => {
    const { backend, plan_id } = await loggedPlan()
    const log = await backend.call('_cleveragents/plan/export', { plan_id })
    const check = (params: Omit<Params<'_cleveragents/plan/check'>, 'rules'>, rules: object) =>
      backend.call('_cleveragents/plan/check', { ...params, rules })

    expect(log).toMatchObject({
      schema: 'cleveragents.decision-log',
      version: 1,
      plan_id,
      files_problem: null,
    })
    expect(log.plans.map(({ name, parent_plan_id }) => [name, parent_plan_id])).toEqual([
      ['local/logged', null],
      ['local/logged/child', plan_id],
    ])
    expect(log.plans[0]?.args).toEqual({ api_key: '[redacted:named-secret]' })
    expect(log.redactions.map(({ path, kind }) => `${kind} ${path}`)).toContain(
      'named-secret /plans/0/args/api_key',
    )
    expect(JSON.stringify(log)).not.toMatch(/q1w2e3r4t5|hunter2/)
    expect(log.files?.map(({ path }) => path)).toEqual(['a.txt', 'c.txt'])
    // Once where the recipe asks, and once for the work as it ended.
    const passed = { validation: null, command: 'test -f a.txt', required: true, result: 'passed' }
    const extra = { validation: 'local/extra', command: 'test -f extra', required: false, result: 'failed' }
    const wraps = { validation: 'local/wraps', command: 'builtin/list_files', required: true }
    expect(log.validations).toMatchObject([passed, extra, { ...wraps, result: 'passed' }, passed])
    expect(log.passes.map(({ flag }) => flag).slice(0, 2)).toEqual(['decompose_task', 'create_tool'])
    expect(log.gates).toMatchObject([
      { flag: 'select_tool', resolved_by: 'tester', answer: { note: 'looks right' } },
    ])

    const page = decisionLogMarkdown(log)
    for (const words of [
      '# local/logged\n',
      '## local/logged/child\n',
      'Keep it small (action local/logged)',
      '**#3 What?** X, decided by actor (stated .90; counted ',
      '  - not Y: too far',
      'Apply these changes to your files? approve by tester: looks right.',
      '`a.txt` modified',
      '`test -f a.txt` passed',
      'local/extra `test -f extra` failed, informational',
    ])
      expect(page).toContain(words)

    const all = {
      require_approved: ['apply'],
      require_validations: true,
      no_superseded_unanswered: true,
      max_cost: 0,
    }
    const kept = await check({ log: JSON.parse(JSON.stringify(log)) }, all)
    expect([kept.passed, kept.rules, kept.violations]).toEqual([
      true,
      ['require-approved', 'require-validations', 'no-superseded-unanswered', 'max-cost'],
      [],
    ])
    const broken = await check({ plan_id }, { max_auto_below: 0.95, require_approved: ['execute'] })
    expect(broken.passed).toBe(false)
    expect(broken.violations.map(({ rule, number, message }) => [rule, number, message])).toEqual(
      expect.arrayContaining([
        [
          'max-auto-below',
          3,
          expect.stringMatching(/^"What\?" → X passed by itself at 0\.\d\d, below 0\.95$/),
        ],
        ['require-approved', null, 'going on to execute passed by itself under the profile'],
      ]),
    )
    const forged = { ...log, gates: [] }
    const refused = await backend.refusal('_cleveragents/plan/check', { log: forged, rules: { max_cost: 1 } })
    expect([refused.errorType, refused.message]).toEqual([
      'denied',
      expect.stringContaining('changed after it was exported'),
    ])
    const other = await backend.refusal('_cleveragents/plan/check', { log: { a: 1 }, rules: { max_cost: 1 } })
    expect(other.errorType).toBe('invalid_input')
    const nothing = await backend.refusal('_cleveragents/plan/check', { plan_id, rules: {} })
    expect(nothing.message).toContain('at least one rule')
    violations(log)
  })
})

/** The rules over variations of one real log. */
function violations(log: DecisionLogView): void {
  const [gate] = log.gates
  if (!gate) throw new Error('the log has no gate')
  const open = { ...gate, status: 'open' as const, answer: null, closed_at: null }
  const dropped = { ...open, status: 'void' as const }
  const pass = {
    plan_id: log.plan_id,
    flag: 'select_tool',
    about: 'go on',
    confidence: 1,
    threshold: 0,
    at: '9999',
  }
  const validation = log.validations[0]
  if (!validation) throw new Error('the log has no validation')
  const failed = { ...validation, result: 'failed' as const, message: 'exit 1' }
  const optional = { ...failed, command: 'lint', required: false }
  const table: [Partial<DecisionLogView>, object, string[]][] = [
    [{}, { require_approved: ['apply'] }, []],
    [{ gates: [] }, { require_approved: ['apply'] }, ['going on to apply was never asked about']],
    [{ gates: [gate, open] }, { require_approved: ['apply'] }, ['going on to apply waits for an answer']],
    [
      { passes: [pass] },
      { require_approved: ['apply'] },
      ['going on to apply passed by itself under the profile'],
    ],
    [{ validations: [] }, { require_validations: true }, ['no validation ran']],
    [{ validations: [failed, { ...validation, step: 'end of execute' }] }, { require_validations: true }, []],
    [
      { validations: [validation, failed, optional] },
      { require_validations: true },
      ['the required validation test -f a.txt failed: exit 1'],
    ],
    [{ gates: [dropped, gate] }, { no_superseded_unanswered: true }, []],
    [
      { gates: [gate, dropped] },
      { no_superseded_unanswered: true },
      ['the question "Apply these changes to your files?" was dropped without an answer'],
    ],
    [
      { gates: [open] },
      { no_superseded_unanswered: true },
      ['the question "Apply these changes to your files?" is open'],
    ],
    [
      { plans: log.plans.map(each => ({ ...each, cost_usd: 2 })) },
      { max_cost: 1.5 },
      ['the plan cost 2.00 USD, and the limit is 1.50'],
    ],
    [
      { plans: log.plans.map(each => ({ ...each, cost_usd: null })) },
      { max_cost: 1.5 },
      ['the plan has an unknown cost, and the limit is 1.50'],
    ],
    [
      { passes: [{ ...pass, confidence: 0.59 }], decisions: [] },
      { max_auto_below: 0.6 },
      ['to go on passed by itself at 0.59, below 0.60'],
    ],
    [{ passes: [{ ...pass, confidence: 0.6 }], decisions: [] }, { max_auto_below: 0.6 }, []],
    [
      { passes: [], decisions: log.decisions.map(each => ({ ...each, decided_by: 'human' as const })) },
      { max_auto_below: 1 },
      [],
    ],
  ]
  for (const [changes, rules, messages] of table) {
    const verdict = checkLog({ ...log, ...changes }, logRules.parse(rules))
    expect([rules, verdict.violations.map(({ message }) => message)]).toEqual([rules, messages])
  }
}
