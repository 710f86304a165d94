import type { ExplainView, RelationView } from '../../a2a/protocol/views/decision.ts'
import { fileRows } from './diff.ts'
import type { Paper } from './paper.ts'
import { factLines } from './table.ts'
import { decisionText } from './tree.ts'
import { scoreText, shortId } from './words.ts'

/** Why a decision was taken, what shaped it and what it shaped. */
export function explainLines(view: ExplainView, paper: Paper): string[] {
  const { decision } = view
  const facts = [
    ['decision', `${decision.decision_id} in ${view.plan_name}`],
    ['status', statusText(view)],
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
    ...section('Depends on', relationLines(view.upstream), paper),
    ...section('On it depend', relationLines(view.downstream), paper),
    ...section(
      'Not counted',
      view.not_counted.flatMap(each => [...relationLines([each]), `  but ${each.reason}`]),
      paper,
    ),
    ...section(
      'Steps',
      view.steps.map(step => `${step.status} ${step.summary}`),
      paper,
    ),
    ...section('Answers of models', answerLines(view), paper),
    ...section('Files', fileRows(view.files, paper), paper),
  ]
}

function answerLines({ answers, decision }: ExplainView): string[] {
  if (answers.length === 0) return []
  return [
    ...answers.flatMap(({ model, status, tokens, usd, beginning }) => [
      `${model}: ${status}, ${tokens} tokens, ${usd === null ? 'cost unknown' : usdWords(usd)}`,
      ...beginning.split('\n').map(line => `  ${line}`),
    ]),
    `The whole: agents plan messages ${shortId(decision.plan_id)} --decision ${decision.number}`,
  ]
}

function usdWords(usd: number): string {
  return `${usd.toFixed(6).replace(/0{1,4}$/, '')} USD`
}

export function section(title: string, lines: readonly string[], { paint }: Paper): string[] {
  if (lines.length === 0) return []
  return [`  ${paint('muted', title)}`, ...lines.flatMap(line => line.split('\n')).map(line => `    ${line}`)]
}

function optionText(option: ExplainView['decision']['chosen_option']): string {
  return option.rationale ? `${option.label} (${option.rationale})` : option.label
}

function statusText({ decision, standing }: ExplainView): string {
  const { status, superseded_reason, superseded_why } = decision
  if (superseded_reason) return [`${status}: ${superseded_reason}`, superseded_why].filter(Boolean).join(', ')
  if (standing === 'reached') return status
  return `${status}, kept from before a correction and not reached again yet`
}

/** Each other one once, and below it every reason. */
function relationLines(relations: readonly RelationView[]): string[] {
  const groups = Map.groupBy(relations, ({ plan_id, decision_id }) => decision_id ?? plan_id)
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const name = first.number === null ? `plan ${first.question}` : `#${first.number} ${first.question}`
    return [
      name,
      ...[first, ...more].map(({ origin, why }) => `  ${origin === 'derived' ? 'derived: ' : ''}${why}`),
    ]
  })
}
