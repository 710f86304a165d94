import type { GateView } from '../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import { inbox } from './gates.ts'
import type { Model } from './model.ts'
import type { PlanTree, TreeItem } from './plan-tree.ts'
import { ancestorsOf, childrenOfPlan, hasEnded, isRunning, isWaiting } from './plans.ts'
import type { TreeNode } from './tree.ts'
import { isOnScreen } from './tree-window.ts'
import type { Ui } from './ui.ts'

export interface Counts {
  readonly running: number
  readonly waiting: number
}

export function planCounts(model: Model): Counts {
  const plans = [...model.plans.byId.values()]
  return { running: plans.filter(isRunning).length, waiting: plans.filter(isWaiting).length }
}

/** The plans with an open question, and every plan above one: what waits is marked from the root on. */
export function waitingPlans(model: Model): ReadonlySet<string> {
  const waiting = new Set<string>()
  for (const { plan_id } of model.gates.open.values()) {
    waiting.add(plan_id)
    for (const above of ancestorsOf(model.plans, plan_id)) waiting.add(above)
  }
  return waiting
}

export function runningPlans(model: Model): PlanView[] {
  return model.plans.roots.filter(isRunning)
}

/** One row of the list of plans: children stand below their parents. */
export interface ListedPlan {
  readonly plan: PlanView
  readonly depth: number
  readonly fold: 'open' | 'folded' | 'none'
  readonly childCount: number
}

/** The list of plans as shown. */
export function listedPlans(model: Model, ui: Pick<Ui<unknown>, 'planOrder' | 'planFolds'>): ListedPlan[] {
  const { roots } = model.plans
  const ordered = ui.planOrder === 'newest' ? roots : roots.toSorted((a, b) => urgency(a) - urgency(b))
  const rows: ListedPlan[] = []
  const open = ordered.toReversed().map(plan => ({ plan, depth: 0 }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { plan, depth } = next
    const children = childrenOfPlan(model.plans, plan.plan_id)
    const fold =
      children.length === 0 ? 'none' : (ui.planFolds[plan.plan_id] ?? foldOf(plan, children.length))
    rows.push({ plan, depth, fold, childCount: children.length })
    if (fold === 'open') open.push(...children.toReversed().map(child => ({ plan: child, depth: depth + 1 })))
  }
  return rows
}

const mostShown = 6

/** A few children of a plan that goes on are worth their rows. */
function foldOf(plan: PlanView, childCount: number): 'open' | 'folded' {
  return hasEnded(plan) || childCount > mostShown ? 'folded' : 'open'
}

/** What acts on a plan acts on the child plan that is selected in the tree, else on the one selected in the list. */
export function actingPlan(model: Model, ui: Ui<unknown>): PlanView | null {
  const selected = ui.focus === 'plans' ? null : selectedNode(model, ui)
  if (selected?.kind === 'shown' && selected.node.item.kind === 'plan')
    return model.plans.byId.get(selected.node.item.plan.plan_id) ?? null
  return selectedPlan(model, ui)
}

export function selectedPlan(model: Model, ui: Ui<unknown>): PlanView | null {
  return model.plans.byId.get(ui.selectedPlanId ?? '') ?? null
}

export function selectedTree(model: Model, ui: Ui<unknown>): PlanTree | null {
  return model.trees.get(ui.selectedPlanId ?? '') ?? null
}

export type SelectedNode =
  | { readonly kind: 'none' }
  /** It was superseded, folded away or filtered out since it was chosen: nothing acts on it until the person moves. */
  | { readonly kind: 'gone'; readonly node: TreeNode<TreeItem> | null }
  | { readonly kind: 'shown'; readonly node: TreeNode<TreeItem> }

export function selectedNode(model: Model, ui: Ui<unknown>): SelectedNode {
  const planTree = selectedTree(model, ui)
  const chosen = ui.nodes[ui.selectedPlanId ?? '']
  if (!planTree || !chosen) return { kind: 'none' }
  const node = planTree.tree.nodes.get(chosen.id)
  if (!node) return { kind: 'gone', node: null }
  return isOnScreen(planTree.tree, node) ? { kind: 'shown', node } : { kind: 'gone', node }
}

/** The gate the band tells of: one of the selected plan first, else the oldest anywhere. */
export function bandGate(model: Model, ui: Ui<unknown>): GateView | null {
  const gates = inbox(model.gates)
  const here = gates.find(gate => isWithin(model, gate.plan_id, ui.selectedPlanId))
  return here ?? gates[0] ?? null
}

function isWithin(model: Model, planId: string, rootId: string | null): boolean {
  return rootId !== null && (planId === rootId || ancestorsOf(model.plans, planId).includes(rootId))
}

/** Names from the plan's first decision down to the node. */
export function pathTo(node: TreeNode<TreeItem>): TreeNode<TreeItem>[] {
  const path: TreeNode<TreeItem>[] = []
  for (let at: TreeNode<TreeItem> | null = node; at?.parent; at = at.parent) path.unshift(at)
  return path
}

function urgency(plan: PlanView): number {
  if (isWaiting(plan)) return 0
  return isRunning(plan) ? 1 : 2
}
