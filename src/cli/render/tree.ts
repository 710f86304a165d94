import type { DecisionView, TreeView } from '../../a2a/protocol/views/decision.ts'
import type { ChildPlanView } from '../../a2a/protocol/views/plan.ts'
import { cellWidth } from '../../text/cells.ts'
import { cut, type Paper } from './paper.ts'
import { childState } from './plan.ts'
import { oneLine, scoreText } from './words.ts'

/** The decisions of a plan as an indented tree, in the order they were taken. */
export function treeLines(view: TreeView, paper: Paper): string[] {
  if (view.decisions.length === 0) return ['No decisions yet.']
  const parentOf = parentsIn(view)
  const plans = new Map(view.plans.map(plan => [plan.plan_id, plan]))
  const rootOf = ({ parent_decision_id, plan_id }: DecisionView) =>
    parent_decision_id === null ? (plans.get(plan_id) ?? null) : null
  const children = Map.groupBy(view.decisions, parentOf)
  const lines: string[] = []
  const visit = (decision: DecisionView, lead: string, rest: string): void => {
    lines.push(decisionLine(decision, { lead, child: rootOf(decision) }, paper))
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

/**
 * The first decision of a child plan stands below the decision that started it. A parent that is not shown (superseded,
 * or below the depth) leaves its children at the top.
 */
function parentsIn({ decisions, plans }: TreeView): (decision: DecisionView) => string | null {
  const shown = new Set(decisions.map(each => each.decision_id))
  const spawnOf = new Map(plans.map(each => [each.plan_id, each.spawn_decision_id]))
  return ({ parent_decision_id, plan_id }) => {
    const parent = parent_decision_id ?? spawnOf.get(plan_id) ?? null
    return parent !== null && shown.has(parent) ? parent : null
  }
}

function inOrder(decisions: readonly DecisionView[]): DecisionView[] {
  return decisions.toSorted((a, b) => a.plan_id.localeCompare(b.plan_id) || a.number - b.number)
}

interface Place {
  readonly lead: string
  /** The child plan that begins here. */
  readonly child: ChildPlanView | null
}

function decisionLine(decision: DecisionView, { lead, child }: Place, paper: Paper): string {
  const { marks, paint } = paper
  const isOld = decision.status === 'superseded'
  const mark = isOld ? marks.superseded : decision.is_correction ? marks.correction : marks.done
  const tail = tailText(decision, paper)
  const room = paper.columns - cellWidth(lead) - cellWidth(mark) - 1 - cellWidth(tail.plain)
  const name = child === null ? '' : `${oneLine(child.key ?? child.name)} (${childState(child)}): `
  const text = cut(`${name}${decisionText(decision, paper)}`, paper, Math.max(12, room))
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
