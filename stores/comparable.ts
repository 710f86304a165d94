import type { DecisionView } from '../src/a2a/protocol/views/decision.ts'
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import type { Model } from './model.ts'
import { decisionItem, type PlanTree } from './plan-tree.ts'

/** What a plan's result can be laid beside: its own before a correction, or another plan's of the same project. */
export type Comparable =
  | {
      readonly kind: 'correction'
      readonly correctionId: string
      /** The decision that was taken again, and what the person said. */
      readonly target: DecisionView
      readonly said: string
    }
  | { readonly kind: 'plan'; readonly plan: PlanView }

/** Corrections first, the newest at the top; then the plans, in the order of the list. */
export function comparable(model: Model, plan: PlanView): Comparable[] {
  const others = model.plans.roots.filter(
    each => each.plan_id !== plan.plan_id && each.project.root === plan.project.root,
  )
  return [
    ...correctionsOf(model, plan.plan_id),
    ...others.map(each => ({ kind: 'plan' as const, plan: each })),
  ]
}

function correctionsOf(model: Model, planId: string): Comparable[] {
  const planTree = [...model.trees.values()].find(
    ({ tree, planId: root }) => root === planId || tree.nodes.has(planId),
  )
  if (!planTree) return []
  const found = new Map<string, Comparable>()
  for (const { item } of planTree.tree.nodes.values()) {
    if (item.kind !== 'decision' || item.decision.plan_id !== planId) continue
    const made = correctionOf(planTree, item.decision)
    if (made && !found.has(made.correctionId)) found.set(made.correctionId, made)
  }
  return [...found.values()].reverse()
}

/** The correction that a decision comes from. */
function correctionOf(
  planTree: PlanTree,
  { correction_id, corrects_decision_id }: DecisionView,
): Extract<Comparable, { kind: 'correction' }> | null {
  const target = decisionItem(planTree, corrects_decision_id ?? '')?.decision
  if (correction_id === null || !target) return null
  const said = decisionItem(planTree, target.superseded_by ?? '')?.decision.chosen_option.label ?? ''
  return { kind: 'correction', correctionId: correction_id, target, said }
}
