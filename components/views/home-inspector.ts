import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { logOf, stepsOf } from '../../stores/model.ts'
import { childrenOfPlan } from '../../stores/plans.ts'
import { type SelectedNode, selectedNode, selectedPlan } from '../../stores/selectors.ts'
import { inspectorTabs } from '../../stores/ui.ts'
import { type Look, line, linesFrom, wrapped } from '../look.ts'
import type { Segment } from '../parts/format-line.ts'
import { decisionRows, gateRows, planRows } from '../parts/inspect-decision.ts'
import { logRows, runningRows, stepRows } from '../parts/inspect-work.ts'
import { capitalised } from '../words.ts'
import type { ViewProps } from './view.ts'

/** The tabs, the open one with a capital and in brackets. */
export function inspectorTitle({ situation }: ViewProps): string {
  const { tab } = situation.ui
  return inspectorTabs.map(each => (each === tab ? `[${capitalised(each)}]` : each)).join(' ')
}

export function inspectorLines(props: ViewProps, width: number, height: number): string[] {
  const { look, situation } = props
  const rows = inspectorRows(props, width - 2).map(row => [{ text: ' ' }, ...row])
  const top = Math.max(0, Math.min(situation.ui.inspectorTop, rows.length - height))
  const below = rows.length - top - height
  const lines = linesFrom(look, rows, { top, width, height })
  return below > 0 ? [...lines.slice(0, -1), moreLine(look, below + 1, width)] : lines
}

function moreLine(look: Look, count: number, width: number): string {
  return line(look, { left: [{ text: ` ${look.glyphs.down} ${count} more`, tone: 'muted' }], width })
}

/** All rows of the open tab; the window on them is the caller's. */
export function inspectorRows({ situation, shelves, look }: ViewProps, width: number): Segment[][] {
  const { model, ui } = situation
  const plan = selectedPlan(model, ui)
  if (!plan) return []
  if (ui.tab === 'log') return logRows(logOf(model, plan.plan_id), width)
  const selected = ui.focus === 'plans' ? { kind: 'none' as const } : selectedNode(model, ui)
  if (ui.tab === 'steps') {
    return stepRows(
      look,
      stepsOf(model, planWithSteps(selected) ?? plan.plan_id),
      stepsOwner(selected),
      width,
    )
  }
  const running = (of: PlanView) => runningRows(look, stepsOf(model, of.plan_id), width)
  const factsOf = (of: PlanView) =>
    planRows(look, of, { width, children: childrenOfPlan(model.plans, of.plan_id) })
  const rowsOf = (of: PlanView) => [...running(of), ...factsOf(of)]
  if (selected.kind === 'none') return rowsOf(plan)
  if (selected.kind === 'gone')
    return wrapped('The selected node is no longer shown. Move to choose another.', width, 'warning')
  const { item } = selected.node
  if (item.kind === 'gate') return gateRows(item.gate, width)
  if (item.kind === 'plan') {
    const child = model.plans.byId.get(item.plan.plan_id)
    return child ? rowsOf(child) : wrapped(item.plan.name, width, 'heading')
  }
  const { decision } = item
  const rows = decisionRows(look, decision, shelves.explanations.peek(explainKey(decision)), width)
  // The first decision is the plan itself: in a small window this is where the plan is seen.
  const owner = decision.parent_decision_id === null ? model.plans.byId.get(decision.plan_id) : undefined
  return owner ? [...running(owner), ...rows, [], ...factsOf(owner)] : rows
}

/** A child plan keeps the steps under its own decisions. */
function planWithSteps(selected: SelectedNode): string | null {
  if (selected.kind !== 'shown') return null
  const { item } = selected.node
  if (item.kind === 'plan') return item.plan.plan_id
  return item.kind === 'decision' ? item.decision.plan_id : null
}

/** The first decision is the plan itself: its steps are all of them. */
function stepsOwner(selected: SelectedNode): string | null {
  if (selected.kind !== 'shown' || selected.node.item.kind !== 'decision') return null
  const { decision } = selected.node.item
  return decision.parent_decision_id === null ? null : decision.decision_id
}

/** Keys of what belongs to a plan begin with its id. */
export function explainKey(decision: { plan_id: string; decision_id: string }): string {
  return `${decision.plan_id} ${decision.decision_id}`
}
