import { describe, expect, it, test } from 'vitest'
import type { DiffView } from '../../src/a2a/protocol/views/changes.ts'
import type { ChildPlanView } from '../../src/a2a/protocol/views/plan.ts'
import { cleaned } from '../../src/cli/render/clean.ts'
import { patchBytes } from '../../src/cli/render/diff.ts'

import { explainLines } from '../../src/cli/render/explain.ts'
import { failureLines } from '../../src/cli/render/failure.ts'
import { makePaper } from '../../src/cli/render/paper.ts'
import { planLines, plansLines } from '../../src/cli/render/plan.ts'
import { profileLines, profilesLines } from '../../src/cli/render/profile.ts'
import { settingsLines } from '../../src/cli/render/surroundings.ts'
import { tableLines } from '../../src/cli/render/table.ts'
import { treeLines } from '../../src/cli/render/tree.ts'
import { cellWidth } from '../../src/text/cells.ts'
import { runCli } from '../support/cli-driver.ts'
import { aDecision, aGate, aPlan } from '../support/screen-views.ts'

const wide = makePaper({ columns: Number.POSITIVE_INFINITY, charset: 'unicode', colour: 'none' })
const narrow = makePaper({ columns: 60, charset: 'unicode', colour: 'none' })
const ascii = makePaper({ columns: 80, charset: 'ascii', colour: 'none' })
const painted = makePaper({ columns: 80, charset: 'unicode', colour: 'colour' })

const hostile = 'a\u001b[2J\u0007\u202eb\u009b31m\r\u200b'
const dangerous = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u

describe('the tree', () => {
  const decisions = [
    aDecision({
      decision_id: 'r',
      number: 1,
      type: 'prompt_definition',
      question: 'Rename',
      confidence: 0.9,
    }),
    aDecision({ decision_id: 'b', number: 3, parent_decision_id: 'r', is_correction: true }),
    aDecision({
      decision_id: 'a',
      number: 2,
      parent_decision_id: 'r',
      status: 'superseded',
      changes: { files: 2, additions: 12, deletions: 3 },
    }),
    aDecision({ decision_id: 'c', number: 4, parent_decision_id: 'a', question: 'Which?' }),
    aDecision({ decision_id: 'o', number: 5, parent_decision_id: 'gone', question: 'Left over' }),
  ]
  const tree = { plan_id: 'plan-1', decisions, edges: [], plans: [] }

  it('is drawn with guides, in the order the decisions were taken', () => {
    expect(treeLines(tree, wide)).toEqual([
      '● #1 prompt_definition  Rename → extract requireSession  .90',
      '├─ ⊘ #2 implementation_choice  How? → extract requireSession  +12 -3',
      '│  └─ ● #4 implementation_choice  Which? → extract requireSession',
      '└─ ↺ #3 implementation_choice  How? → extract requireSession',
      '● #5 implementation_choice  Left over → extract requireSession',
    ])
  })

  it('keeps to ASCII where the locale has nothing else', () => {
    const lines = treeLines(tree, ascii)
    expect(lines[1]).toBe('|- S #2 implementation_choice  How? -> extract requireSession  +12 -3')
    expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/)
  })

  it('is cut to the width, and keeps the counts', () => {
    const lines = treeLines(tree, narrow)
    expect(lines.map(cellWidth).filter(width => width > 60)).toEqual([])
    expect(lines[1]).toMatch(/… {2}\+12 -3$/)
  })

  it('shows child plans below the decision that started them', () => {
    const child = aChild({ plan_id: 'plan-2', spawn_decision_id: 'b', key: 'docs' })
    const first = aDecision({ decision_id: 'x', plan_id: 'plan-2', question: 'Write', confidence: null })
    expect(
      treeLines({ ...tree, decisions: [...decisions, first], plans: [child] }, wide).slice(3, 5),
    ).toEqual([
      '└─ ↺ #3 implementation_choice  How? → extract requireSession',
      '   └─ ● docs (ready for Apply with its parent): #1 implementation_choice  Write → extract requireSession',
    ])
  })

  it('says so when there are none', () => {
    expect(treeLines({ ...tree, decisions: [] }, wide)).toEqual(['No decisions yet.'])
  })
})

function aChild(of: Partial<ChildPlanView> & { plan_id: string }): ChildPlanView {
  return {
    name: 'local/shop/docs',
    parent_plan_id: 'plan-1',
    spawn_decision_id: null,
    key: null,
    action: 'local/docs',
    phase: 'apply',
    state: 'complete',
    reason: null,
    changes: { files: 1, additions: 2, deletions: 0 },
    ...of,
  }
}

it('lists children below their parent, and a plan with its children', () => {
  const parent = aPlan({
    plan_id: '01JAAAAAAAAA111111',
    name: 'local/shop',
    children: [aChild({ plan_id: '01JAAAAAAAAA222222', key: 'docs' })],
    waits_for: { plan_id: '01JAAAAAAAAA333333', name: 'local/shop/tests' },
  })
  const docs = aPlan({
    plan_id: '01JAAAAAAAAA222222',
    name: 'local/shop/docs',
    parent_plan_id: parent.plan_id,
    applies_to: 'parent',
    phase: 'apply',
    state: 'complete',
  })
  const other = aPlan({ plan_id: '01JAAAAAAAAA444444', name: 'local/other' })
  const listed = plansLines({ plans: [docs, other, parent] }, wide).map(line =>
    line.replace(/ {2,}cautious.*/, ''),
  )
  expect(listed.slice(1)).toEqual([
    '444444  local/other  execute running',
    '111111  local/shop   execute running',
    '222222    docs       ready for Apply with its parent',
  ])
  expect(planLines(parent, wide)).toEqual(
    expect.arrayContaining([
      '  children   ◌ docs  ready for Apply with its parent  +2 -0 in 1 file  222222',
      '  waits for  local/shop/tests',
    ]),
  )
})

describe('tables', () => {
  const plans = [
    aPlan({ plan_id: '01JAAAAAAAAA111111', name: 'local/a-name-that-is-far-too-long-for-a-narrow-table' }),
    aPlan({ plan_id: '01JAAAAAAAAA222222', name: 'local/short', state: 'paused' }),
  ]

  it('are cut in the column that gives way', () => {
    const lines = plansLines({ plans }, makePaper({ columns: 110, charset: 'unicode', colour: 'none' }))
    expect(lines.map(cellWidth).filter(width => width > 110)).toEqual([])
    expect(lines[1]).toMatch(
      /^111111 {2}local\/a-name-that-is-.*… {2}execute running {2}cautious {2}local\/shop-api/,
    )
  })

  it('are whole where a program reads', () => {
    expect(plansLines({ plans }, wide)[1]).toContain('local/a-name-that-is-far-too-long-for-a-narrow-table')
  })

  it('count cells, not characters', () => {
    const rows = [
      ['日本', 'x'],
      ['a', 'y'],
    ]
    expect(tableLines({ head: ['N', 'V'], rows, flexible: 0, empty: '' }, wide)).toEqual([
      'N     V',
      '日本  x',
      'a     y',
    ])
  })

  it('keep a line end within a cell from starting a row of its own', () => {
    const rows = [['a\nAPPROVED', 'x']]
    expect(tableLines({ head: ['N', 'V'], rows, flexible: 0, empty: '' }, wide)).toHaveLength(2)
  })

  it('say what to do when they are empty', () => {
    expect(plansLines({ plans: [] }, wide)).toEqual(['No plans. Start one with: agents plan use ACTION'])
  })
})

describe('profiles', () => {
  const profile = (name: string, threshold: number) => ({
    name,
    description: 'd',
    built_in: true,
    thresholds: [
      { flag: 'create_tool', gate: 'autoExecute', what: 'go from Strategize to Execute', threshold },
      { flag: 'select_tool', gate: 'autoApply', what: 'go from Execute to Apply', threshold: 1 },
    ],
    safety: { require_sandbox: true },
    guards: null,
    child_thresholds: {},
  })

  it('are one table of gates, with both names of each', () => {
    expect(
      profilesLines({ profiles: [profile('manual', 1), profile('cautious', 0.7)] }, wide).slice(0, 3),
    ).toEqual([
      'GATE         FLAG         manual  cautious',
      'autoExecute  create_tool  1.0     0.7',
      'autoApply    select_tool  1.0     1.0',
    ])
  })

  it('are explained one by one', () => {
    expect(profileLines(profile('cautious', 0.7), wide)).toEqual([
      'cautious  d',
      'THRESHOLD  GATE         FLAG         MAY IT',
      '0.7        autoExecute  create_tool  go from Strategize to Execute',
      '1.0        autoApply    select_tool  go from Execute to Apply',
      '  Safety',
      '    require_sandbox: true',
    ])
  })
})

test('an explanation names what shaped a decision and the arithmetic of its gate', () => {
  const decision = aDecision({
    decision_id: 'd',
    number: 4,
    alternatives: [{ id: 'b', label: 'leave it', rationale: 'touches less' }],
    rationale: 'fewer copies',
  })
  const mention = {
    plan_id: 'p',
    decision_id: 'u',
    number: 2,
    question: 'Where?',
    origin: 'derived' as const,
    why: 'read src/a.ts, written under #2',
  }
  const view = {
    decision,
    plan_name: 'rename',
    arithmetic: ['.30 x success .50 = .15'],
    standing: 'kept' as const,
    upstream: [mention, { ...mention, origin: 'declared' as const, why: 'declared to depend on where' }],
    downstream: [{ ...mention, decision_id: null, number: null, question: 'rename/docs', plan_id: 'q' }],
    not_counted: [{ ...mention, number: 5, question: 'Who?', reason: '#5 itself rests on this decision' }],
    steps: [],
    answers: [
      {
        step_id: 's',
        model: 'openai/x',
        status: 'done' as const,
        tokens: 1_100,
        usd: null,
        beginning: 'I look first.\ncalls builtin/read_file {"path":"a"}',
        message_id: 'm',
      },
    ],
    files: [],
  }
  expect(explainLines(view, wide)).toEqual([
    '#4 implementation_choice  How? → extract requireSession',
    '  decision    d in rename',
    '  status      active, kept from before a correction and not reached again yet',
    '  decided by  actor',
    '  chosen      extract requireSession',
    '  because     fewer copies',
    '  Alternatives',
    '    leave it (touches less)',
    '  Confidence',
    '    .30 x success .50 = .15',
    '  Depends on',
    '    #2 Where?',
    '      derived: read src/a.ts, written under #2',
    '      declared to depend on where',
    '  On it depend',
    '    plan rename/docs',
    '      derived: read src/a.ts, written under #2',
    '  Not counted',
    '    #5 Who?',
    '      derived: read src/a.ts, written under #2',
    '      but #5 itself rests on this decision',
    '  Answers of models',
    '    openai/x: done, 1100 tokens, cost unknown',
    '      I look first.',
    '      calls builtin/read_file {"path":"a"}',
    expect.stringMatching(/^ {4}The whole: agents plan messages \S+ --decision 4$/),
  ])
})

describe('a diff', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\told\r\n+\tnew \u001b[2J\r\n'
  const view: DiffView = {
    plan_id: 'p',
    digest: 'd',
    part: 'all' as const,
    old: { title: 'before the plan' },
    new: { title: 'now' },
    files: [{ path: 'x', old_path: null, status: 'modified', additions: 1, deletions: 1, binary: false }],
    patch,
    patch_encoding: 'utf8',
  }
  const answers = { '_cleveragents/plan/diff': () => view }

  it('is printed byte for byte where a program reads it', async () => {
    expect((await runCli(['plan', 'diff', 'p'], { answers })).out).toBe(patch)
  })

  it('keeps bytes that are no text', () => {
    const bytes = Buffer.from([0x2b, 0xff, 0xfe, 0x0a])
    const encoded: DiffView = { ...view, patch: bytes.toString('base64'), patch_encoding: 'base64' }
    expect(Buffer.from(patchBytes(encoded))).toEqual(bytes)
  })

  it('is made safe where a person reads it', async () => {
    for (const format of ['rich', 'plain']) {
      const run = await runCli(['plan', 'diff', 'p', '--format', format, '--no-color'], {
        answers,
        terminal: { columns: 80 },
      })
      expect(run.out).toContain('+   new ␛[2J')
      expect(run.out).not.toMatch(dangerous)
    }
  })

  it('is coloured by line in rich', async () => {
    const run = await runCli(['plan', 'diff', 'p'], { answers, terminal: { columns: 80 } })
    expect(run.out).toContain('\u001b[31m-   old')
    expect(run.out).toContain('\u001b[32m+   new ␛[2J')
  })

  it('is a list of files with --stat', async () => {
    const run = await runCli(['plan', 'diff', 'p', '--stat'], { answers })
    expect(run.out).toBe('modified  x  +1 -1\n1 file, +1 -1\n')
  })
})

describe('text from outside', () => {
  it('cannot reach the terminal through any field of a plan or its gates', () => {
    const gate = poisoned(
      aGate({ gate_id: 'g', options: [{ id: 'o', label: 'l', description: 'd', effect: 'approve' }] }),
    )
    const plan = {
      ...poisoned(aPlan({ plan_id: 'p', reason: 'r', notices: ['n'] })),
      gates: [{ ...gate, status: 'open' as const }],
    }
    expect(
      planLines(cleaned({ ...plan, state: 'awaiting_input' as const }), painted)
        .map(unpainted)
        .join('\n'),
    ).not.toMatch(dangerous)
  })

  it('cannot start a line of its own in the title of a plan', () => {
    const plan = cleaned(aPlan({ plan_id: 'p', name: 'x\nagents plan approve p' }))
    expect(planLines(plan, wide)[0]).toBe('◌ x agents plan approve p  execute running')
  })

  it('cannot reach the terminal through a refusal', async () => {
    const answers = {
      '_cleveragents/plan/status': () => ({
        ok: false as const,
        failure: { errorType: 'ambiguous', message: hostile, facts: { candidates: [hostile] }, code: 0 },
      }),
    }
    const run = await runCli(['plan', 'status', 'p'], { answers })
    expect(run.err).not.toMatch(dangerous)
    expect(run.err).toContain('␛[2J')
  })

  it('cannot reach the terminal through what was typed', async () => {
    expect((await runCli([hostile])).err).not.toMatch(dangerous)
  })

  it('cannot reach the terminal through a setting', () => {
    const settings = [{ key: 'k', value: hostile, source: 'file' as const, description: hostile }]
    expect(settingsLines(cleaned({ settings }), wide).join('\n')).not.toMatch(dangerous)
  })
})

/** The same view with every free text made dangerous. */
function poisoned<View>(view: View): View {
  const poison = (value: unknown, key: string): unknown => {
    if (typeof value === 'string')
      return /^(state|status|phase|task_state|effect)$/.test(key) ? value : value + hostile
    if (Array.isArray(value)) return value.map(each => poison(each, key))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poison(part, name)]))
  }
  return poison(view, '') as View
}

/** Without the colours that are ours. */
function unpainted(line: string): string {
  return line.replace(new RegExp(`${'\u001b'}\\[\\d+m`, 'g'), '')
}

test('what is wrong in a file is said once, with its place', () => {
  const message = 'a.yaml:8:15 recipe: There is no such tool.'
  const error = { file: 'a.yaml', line: 8, column: 15, path: 'recipe', message: 'There is no such tool.' }
  const failure = { errorType: 'invalid_input', message, facts: { errors: [error] }, code: 0 }
  expect(failureLines(failure, wide)).toEqual([`✗ ${message}`])
  // Where the file is no YAML there is no key to name.
  const broken = { ...error, path: '', message: 'bad indentation.' }
  const whole = { ...failure, message: 'a.yaml:8:15 bad indentation.', facts: { errors: [broken] } }
  expect(failureLines(whole, wide)).toEqual(['✗ a.yaml:8:15 bad indentation.'])
})
