import type { DecisionView, TreeView } from '../../a2a/protocol/views.ts'
import { cellWidth } from '../../text/cells.ts'
import { cut, type Paper } from './paper.ts'
import { oneLine, scoreText } from './words.ts'

/** The decisions of a plan as an indented tree, in the order they were taken. */
export function treeLines({ decisions }: TreeView, paper: Paper): string[] {
  if (decisions.length === 0) return ['No decisions yet.']
  const children = Map.groupBy(decisions, decision => parentIn(decisions, decision))
  const lines: string[] = []
  const visit = (decision: DecisionView, lead: string, rest: string): void => {
    lines.push(decisionLine(decision, lead, paper))
    const below = inOrder(children.get(decision.decision_id) ?? [])
    below.forEach((child, at) => {
      const isLast = at === below.length - 1
      const { branch, last, through } = paper.marks.guides
      visit(child, rest + (isLast ? last : branch), rest + (isLast ? '   ' : through))
    })
  }
  for (const root of inOrder(children.get(null) ?? [])) visit(root, '', '')
  return lines
}

export function decisionText(decision: DecisionView, { marks }: Paper): string {
  const chosen = decision.chosen_option.label
  const answer = chosen === decision.question ? '' : ` ${marks.arrow} ${chosen}`
  return oneLine(`#${decision.number} ${decision.type}  ${decision.question}${answer}`)
}

/** A parent that is not shown (superseded, or below the depth) leaves its children at the top. */
function parentIn(decisions: readonly DecisionView[], { parent_decision_id }: DecisionView): string | null {
  return decisions.some(each => each.decision_id === parent_decision_id) ? parent_decision_id : null
}

function inOrder(decisions: readonly DecisionView[]): DecisionView[] {
  return decisions.toSorted((a, b) => a.plan_id.localeCompare(b.plan_id) || a.number - b.number)
}

function decisionLine(decision: DecisionView, lead: string, paper: Paper): string {
  const { marks, paint } = paper
  const isOld = decision.status === 'superseded'
  const mark = isOld ? marks.superseded : decision.is_correction ? marks.correction : marks.done
  const tail = tailText(decision, paper)
  const room = paper.columns - cellWidth(lead) - cellWidth(mark) - 1 - cellWidth(tail.plain)
  const text = cut(decisionText(decision, paper), paper, Math.max(12, room))
  return isOld
    ? paint('muted', `${lead}${mark} ${text}${tail.plain}`)
    : `${paint('muted', lead)}${paint('good', mark)} ${text}${tail.painted}`
}

function tailText({ confidence, changes }: DecisionView, { paint }: Paper) {
  const score = confidence === null ? '' : `  ${scoreText(confidence)}`
  if (!changes || changes.files === 0) return { plain: score, painted: paint('muted', score) }
  const [added, removed] = [`+${changes.additions}`, `-${changes.deletions}`]
  return {
    plain: `${score}  ${added} ${removed}`,
    painted: `${paint('muted', score)}  ${paint('added', added)} ${paint('removed', removed)}`,
  }
}
