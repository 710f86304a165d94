import type { ExplainView } from '../../a2a/protocol/views.ts'
import { fileRows } from './diff.ts'
import type { Paper } from './paper.ts'
import { factLines } from './table.ts'
import { decisionText } from './tree.ts'
import { scoreText } from './words.ts'

/** Why a decision was taken, what shaped it and what it shaped. */
export function explainLines(view: ExplainView, paper: Paper): string[] {
  const { decision } = view
  const facts = [
    ['decision', `${decision.decision_id} in ${view.plan_name}`],
    [
      'status',
      decision.superseded_reason ? `${decision.status}: ${decision.superseded_reason}` : decision.status,
    ],
    ['decided by', decision.decided_by],
    ['chosen', optionText(decision.chosen_option)],
    ['because', decision.rationale],
    ['confidence', scoreText(decision.confidence)],
  ] as const
  return [
    paper.paint('strong', decisionText(decision, paper)),
    ...factLines(facts, paper),
    ...section('Alternatives', decision.alternatives.map(optionText), paper),
    ...section('Confidence', view.arithmetic, paper),
    ...section('Shaped by', view.upstream.map(mentionText), paper),
    ...section('Shaped', view.downstream.map(mentionText), paper),
    ...section(
      'Steps',
      view.steps.map(step => `${step.status} ${step.summary}`),
      paper,
    ),
    ...section('Files', fileRows(view.files, paper), paper),
  ]
}

export function section(title: string, lines: readonly string[], { paint }: Paper): string[] {
  if (lines.length === 0) return []
  return [`  ${paint('muted', title)}`, ...lines.flatMap(line => line.split('\n')).map(line => `    ${line}`)]
}

function optionText(option: ExplainView['decision']['chosen_option']): string {
  return option.rationale ? `${option.label} (${option.rationale})` : option.label
}

function mentionText({ number, question, why }: ExplainView['upstream'][number]): string {
  return `#${number} ${question}: ${why}`
}
