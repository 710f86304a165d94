/**
 * A correction as it is lived through: what it superseded stays in sight where it was until it is taken again, so that
 * what is kept does not move, and each new decision appears in the place of the one that it replaces.
 */
import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { DecisionView } from '../src/a2a/protocol/views/decision.ts'
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import {
  changeDecision,
  decisionItem,
  type PlanTree,
  parentOf,
  putDecision,
  replacedBy,
} from './plan-tree.ts'
import { moveNode, setOpen } from './tree.ts'

type Superseded = Extract<WireEvent, { method: '_cleveragents/decision/superseded' }>

const phases: readonly string[] = ['action', 'strategize', 'execute', 'apply']

export function supersede(planTree: PlanTree, event: Superseded): void {
  for (const id of event.decision_ids) {
    // What a person or the system said has no key, and is not taken again.
    if (event.reason === 'correction' && decisionItem(planTree, id)?.decision.key) planTree.awaited.add(id)
    changeDecision(planTree, id, {
      status: 'superseded',
      superseded_reason: event.reason,
      superseded_by: event.superseded_by,
    })
  }
}

export function restore(planTree: PlanTree, decisionIds: readonly string[]): void {
  for (const id of decisionIds) {
    changeDecision(planTree, id, {
      status: 'active',
      superseded_reason: null,
      superseded_why: null,
      superseded_by: null,
    })
    stopAwaiting(planTree, id)
  }
}

/** A new decision, in the place of the one that it replaces where there is one. */
export function record(planTree: PlanTree, decision: DecisionView): void {
  const replacedId = replacedBy(planTree, decision)
  const replaced = decisionItem(planTree, replacedId ?? '')
  const isNew = decisionItem(planTree, decision.decision_id) === null
  putDecision(planTree, decision)
  if (!isNew || replacedId === null || !replaced?.isAwaited) return
  const { tree } = planTree
  const node = tree.nodes.get(replacedId)
  setOpen(tree, decision.decision_id, node?.isOpen ? 'open' : 'folded')
  for (const child of [...(node?.children ?? [])])
    if (child.item.kind === 'decision' && child.item.isAwaited)
      moveNode(tree, child.id, { parentId: decision.decision_id })
  stopAwaiting(planTree, replacedId)
}

/** What a finished phase did not come to again is not coming. */
export function endPhase(planTree: PlanTree, planId: string, phase: string): void {
  for (const id of planTree.awaited) {
    const decision = decisionItem(planTree, id)?.decision
    if (decision?.plan_id !== planId) continue
    if (phases.indexOf(decision.phase) <= phases.indexOf(phase)) stopAwaiting(planTree, id)
  }
}

/** The phase that is over for a plan in this state. */
export function endedPhase({ phase, state }: Pick<PlanView, 'phase' | 'state'>): string {
  switch (state) {
    case 'errored':
    case 'cancelled':
      return 'apply'
    case 'complete':
    case 'constrained':
    case 'applied':
      return phase
    default:
      return phases[phases.indexOf(phase) - 1] ?? 'action'
  }
}

/** It goes back below the decision that it was taken under. */
function stopAwaiting(planTree: PlanTree, id: string): void {
  const item = decisionItem(planTree, id)
  if (!item || !planTree.awaited.delete(id)) return
  changeDecision(planTree, id, {})
  const parentId = parentOf(planTree, item.decision)
  const node = planTree.tree.nodes.get(id)
  const own = planTree.tree.nodes.get(parentId ?? '') ?? planTree.tree.root
  if (node && node.parent !== own) moveNode(planTree.tree, id, { parentId })
}
