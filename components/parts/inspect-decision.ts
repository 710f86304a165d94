import type { DecisionView, ExplainView } from '../../src/a2a/protocol/views/decision.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import type { Fetched } from '../../stores/shelf.ts'
import { type Look, wrapped } from '../look.ts'
import {
  confinementWord,
  costWord,
  countsSegments,
  countWord,
  nameBelow,
  oneLine,
  scoreWord,
  shortId,
  stateSentence,
  stateWord,
  typeWord,
} from '../words.ts'
import type { Segment } from './format-line.ts'
import { budgetWord, limitRows } from './limit-rows.ts'

type Rows = Segment[][]
const blank: Segment[] = []

/** All that is known of a decision: what was asked, chosen and left, why, and what it touched. */
export function decisionRows(
  look: Look,
  decision: DecisionView,
  explained: Fetched<ExplainView> | undefined,
  width: number,
): Rows {
  return [
    [
      {
        text: `${typeWord(decision.type)} #${decision.number}  ${shortId(decision.decision_id)}`,
        tone: 'muted',
      },
    ],
    ...wrapped(decision.question, width, 'heading'),
    blank,
    ...optionRows(look, decision, width),
    blank,
    ...whyRows(decision, width),
    ...fateRows(decision, width),
    ...explainRows(explained, width),
  ]
}

/** An open question, seen in the tree: its card is one key away. */
export function gateRows(gate: GateView, width: number): Rows {
  return [
    [{ text: gate.path.join(' > '), tone: 'muted' }],
    ...wrapped(gate.question, width, 'heading'),
    blank,
    ...wrapped(gate.reason, width, 'text'),
    blank,
    ...wrapped('Press enter to open the card and answer.', width, 'muted'),
  ]
}

export function planRows(
  look: Look,
  plan: PlanView,
  { width, children }: { readonly width: number; readonly children: readonly PlanView[] },
): Rows {
  const cost = costWord(plan.cost)
  return [
    [{ text: `${plan.action}  ${shortId(plan.plan_id)}`, tone: 'muted' }],
    ...wrapped(plan.description, width, 'heading'),
    blank,
    ...wrapped(stateSentence(plan), width, plan.state === 'errored' ? 'danger' : 'text'),
    ...(plan.reason ? wrapped(plan.reason, width, 'text') : []),
    blank,
    ...pair('profile', `${plan.profile.name} (from the ${plan.profile.source})`, width),
    ...(plan.waits_for ? pair('waits for', plan.waits_for.name, width) : []),
    ...(plan.applies_to === 'parent'
      ? pair('goes to', 'the plan above it, and is applied together with that', width)
      : []),
    ...pair('project', `${plan.project.name}  ${plan.project.root}`, width),
    ...pair('sandbox', plan.sandbox.strategy, width),
    ...(plan.attempt > 1 ? pair('attempt', String(plan.attempt), width) : []),
    ...(plan.confinement ? pair('commands', confinementWord(plan.confinement), width) : []),
    ...(plan.runner && !plan.runner.here
      ? pair('runs in', `another program, process ${plan.runner.pid}`, width)
      : []),
    ...(plan.changes ? [changesRow(plan.changes)] : []),
    ...(cost === null || plan.budget.limit !== null ? [] : pair('cost', cost, width)),
    ...Object.entries(plan.args).flatMap(([name, value]) => pair(name, valueWord(value), width)),
    ...titled('Limits', limitRows(look, plan, width)),
    ...titled(
      'Checks before the start',
      (plan.preflight ?? []).flatMap(check => preflightRows(look, check, width)),
    ),
    ...titled(
      'Child plans',
      plan.children.map(child => childRow(child, children)),
    ),
    ...titled(
      'Invariants',
      plan.invariants.flatMap(text => bulleted(look, text, width)),
    ),
    ...titled(
      'Notices',
      plan.notices.flatMap(text => bulleted(look, text, width)),
    ),
    ...titled(
      'Protected',
      plan.sandbox.protects.flatMap(text => bulleted(look, text, width)),
    ),
    ...titled(
      'Not protected',
      plan.sandbox.does_not_protect.flatMap(text => bulleted(look, text, width)),
    ),
  ]
}

/** What passed needs no words; the rest says what to do. */
function preflightRows(look: Look, check: NonNullable<PlanView['preflight']>[number], width: number): Rows {
  return check.findings.flatMap(({ message }) =>
    bulleted(look, `${check.id} ${check.name}: ${message}`, width),
  )
}

/** What it used of its slice stands behind its name: which part of the whole spends is seen at once. */
function childRow(child: PlanView['children'][number], plans: readonly PlanView[]): Segment[] {
  const budget = plans.find(({ plan_id }) => plan_id === child.plan_id)?.budget
  const isTold = budget && (budget.spent > 0 || budget.limit !== null)
  return [
    { text: `${oneLine(nameBelow(child.name))}  `, tone: 'text' },
    { text: `${stateWord(child).toLowerCase()}  `, tone: child.state === 'errored' ? 'danger' : 'muted' },
    ...(child.changes ? countsSegments(child.changes) : []),
    ...(isTold ? [{ text: `  ${budgetWord(budget)}`, tone: 'muted' as const }] : []),
  ]
}

function optionRows(look: Look, decision: DecisionView, width: number): Rows {
  const { chosen_option: chosen, alternatives } = decision
  const option = (mark: Segment, label: string, rationale: string | null, tone: Segment['tone']): Rows => {
    const [first = [], ...rest] = wrapped(label, width - 2, tone)
    return [
      [mark, { text: ' ' }, ...first],
      ...rest.map(row => [{ text: '  ' }, ...row]),
      ...(rationale ? wrapped(rationale, width, 'muted', 4) : []),
    ]
  }
  return [
    ...option({ text: look.glyphs.done, tone: 'success' }, chosen.label, chosen.rationale, 'text'),
    ...alternatives.flatMap(each =>
      option({ text: look.glyphs.unchosen, tone: 'muted' }, each.label, each.rationale, 'text'),
    ),
  ]
}

function whyRows(decision: DecisionView, width: number): Rows {
  const { gate_confidence: gate, confidence } = decision
  const stated = gate?.stated ?? confidence
  const numbers = [
    ...(stated === null ? [] : [`stated ${scoreWord(stated)}`]),
    ...(gate ? [`computed ${scoreWord(gate.computed)}`, needWord(gate.threshold)] : []),
  ]
  return [
    ...(numbers.length > 0 ? wrapped(numbers.join(' '), width, 'text') : []),
    ...wrapped(deciderSentence(decision), width, 'muted'),
    ...(decision.rationale ? [blank, ...wrapped(decision.rationale, width, 'text')] : []),
    ...(decision.changes && decision.changes.files > 0 ? [blank, changesRow(decision.changes)] : []),
  ]
}

function needWord(threshold: number): string {
  if (threshold <= 0) return 'never asks'
  return threshold >= 1 ? 'always asks' : `needs ${scoreWord(threshold)}`
}

function deciderSentence({ decided_by }: DecisionView): string {
  switch (decided_by) {
    case 'actor':
      return 'decided by the actor'
    case 'profile':
      return 'passed by itself under the profile'
    case 'human':
      return 'decided by a person'
    case 'system':
      return 'recorded by the system'
  }
}

function fateRows(decision: DecisionView, width: number): Rows {
  const why = decision.superseded_why ? `: ${oneLine(decision.superseded_why)}` : ''
  if (decision.status === 'superseded')
    return [
      blank,
      ...wrapped(`Superseded by a ${decision.superseded_reason ?? 'correction'}${why}.`, width, 'superseded'),
    ]
  return decision.is_correction
    ? [blank, ...wrapped('Taken again after a correction.', width, 'correction')]
    : []
}

function explainRows(explained: Fetched<ExplainView> | undefined, width: number): Rows {
  if (!explained || explained.kind === 'loading') return []
  if (explained.kind === 'failed') return [blank, ...wrapped(explained.message, width, 'danger')]
  const { standing, arithmetic, upstream, downstream, files } = explained.value
  const mention = (each: ExplainView['upstream'][number]) =>
    wrapped(
      `${each.number === null ? 'plan ' : `#${each.number} `}${oneLine(each.question)}${each.why ? `: ${each.why}` : ''}`,
      width,
      'text',
    )
  return [
    ...(standing === 'kept'
      ? [
          blank,
          ...wrapped('Kept through a correction; the plan is yet to come to it again.', width, 'correction'),
        ]
      : []),
    ...titled(
      'Why this confidence',
      arithmetic.flatMap(text => wrapped(text, width, 'text')),
    ),
    ...titled('Shaped by', upstream.flatMap(mention)),
    ...titled('Shaped', downstream.flatMap(mention)),
    ...titled(
      'Files',
      files.map(file => [{ text: `${file.path} `, tone: 'text' as const }, ...fileCounts(file)]),
    ),
  ]
}

export function fileCounts(file: { binary: boolean; additions: number; deletions: number }): Segment[] {
  return file.binary ? [{ text: 'binary', tone: 'muted' }] : countsSegments(file)
}

function changesRow(changes: NonNullable<PlanView['changes']>): Segment[] {
  return [{ text: `${countWord(changes.files, 'file')} `, tone: 'text' }, ...countsSegments(changes)]
}

function titled(title: string, rows: Rows): Rows {
  return rows.length === 0 ? [] : [blank, [{ text: title, tone: 'heading' }], ...rows]
}

function bulleted(look: Look, text: string, width: number): Rows {
  const [first = [], ...rest] = wrapped(text, width - 2, 'text')
  return [
    [{ text: `${look.glyphs.bullet} `, tone: 'muted' }, ...first],
    ...rest.map(row => [{ text: '  ' }, ...row]),
  ]
}

function pair(name: string, value: string, width: number): Rows {
  const label = `${name.padEnd(9)} `
  const [first = [], ...rest] = wrapped(value, width - label.length, 'text')
  return [
    [{ text: label, tone: 'muted' }, ...first],
    ...rest.map(row => [{ text: ' '.repeat(label.length) }, ...row]),
  ]
}

function valueWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
