/** What a row's mark says of a plan or a decision. */
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import type { DecisionItem, TreeItem } from './plan-tree.ts'
import { isHandedOver } from './plans.ts'
import type { TreeNode } from './tree.ts'

export type Mark =
  | 'toCome'
  | 'running'
  | 'paused'
  | 'done'
  | 'waits'
  | 'failed'
  | 'superseded'
  | 'correction'
  | 'child'
  | 'rolledBack'

type PlanStanding = Pick<PlanView, 'phase' | 'state'>
type ChildItem = Extract<TreeItem, { kind: 'plan' }>

/** `waiting`: plans in which, or below which, a question is open. It marks the whole way down to it. */
export function markOf(node: TreeNode<TreeItem>, waiting: ReadonlySet<string> = new Set()): Mark {
  const { item } = node
  switch (item.kind) {
    case 'gate':
      return 'waits'
    case 'plan':
      return markOfChild(node, item, waiting)
    case 'decision':
      return markOfDecision(node, item, waiting)
  }
}

export function isSpawn(node: TreeNode<TreeItem>): boolean {
  return node.item.kind === 'decision' && node.item.decision.type.startsWith('subplan_')
}

/** The child plans that a decision started. */
export function childrenOf(node: TreeNode<TreeItem>): ChildItem[] {
  return node.children.flatMap(({ item }) => (item.kind === 'plan' ? [item] : []))
}

export function markOfPlan(plan: PlanStanding): Mark {
  switch (plan.state) {
    case 'queued':
      return 'toCome'
    case 'complete':
      return isHandedOver(plan) ? 'done' : 'running'
    case 'running':
      return 'running'
    case 'awaiting_input':
    case 'constrained':
      return 'waits'
    case 'paused':
      return 'paused'
    case 'errored':
      return 'failed'
    case 'cancelled':
      return 'superseded'
    case 'applied':
      return 'done'
  }
}

function markOfChild(node: TreeNode<TreeItem>, { plan }: ChildItem, waiting: ReadonlySet<string>): Mark {
  if (waiting.has(plan.plan_id)) return 'waits'
  const mark = markOfPlan(plan)
  return mark === 'done' && isFolded(node) ? 'child' : mark
}

function markOfDecision(
  node: TreeNode<TreeItem>,
  { decision, work, isAwaited }: DecisionItem,
  waiting: ReadonlySet<string>,
): Mark {
  if (isAwaited) return 'toCome'
  if (decision.status === 'superseded')
    return decision.superseded_reason === 'rollback' ? 'rolledBack' : 'superseded'
  const children = childrenOf(node).map(child => child.plan)
  if (children.some(plan => waiting.has(plan.plan_id))) return 'waits'
  if (work.runningStepIds.length > 0) return 'running'
  if (work.hasFailed || children.some(plan => plan.state === 'errored')) return 'failed'
  if (isSpawn(node) && isFolded(node)) return 'child'
  return decision.is_correction ? 'correction' : 'done'
}

function isFolded(node: TreeNode<TreeItem>): boolean {
  return !node.isOpen
}
