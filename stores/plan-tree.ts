import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { DecisionView, EdgeView, GateView, StepView, TreeView } from '../src/a2a/protocol/views.ts'
import { createTree, putNode, removeNode, setOpen, type Tree } from './tree.ts'

/** One plan's decisions as a tree, with its open questions as leaves and the child plans' decisions below their spawn. */
export interface PlanTree {
  readonly planId: string
  status: TreeStatus
  tree: Tree<TreeItem>
  /** Decision under which a child plan was started. */
  readonly spawnOf: Map<string, string>
  newestId: string | null
}

/** While loading, events wait here: the answer may be older than they are. */
export type TreeStatus =
  | { readonly kind: 'loading'; readonly waiting: WireEvent[] }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }

export type TreeItem =
  | { readonly kind: 'decision'; readonly decision: DecisionView; readonly work: Work }
  | { readonly kind: 'gate'; readonly gate: GateView }

/** What the steps under a decision are doing. */
export interface Work {
  readonly runningStepIds: readonly string[]
  readonly hasFailed: boolean
}

const noWork: Work = { runningStepIds: [], hasFailed: false }

export function createPlanTree(planId: string): PlanTree {
  return {
    planId,
    status: { kind: 'loading', waiting: [] },
    tree: createTree({ isHidden, textOf }),
    spawnOf: new Map(),
    newestId: null,
  }
}

/** Fills in what the backend answered. Folding and filters that the person chose meanwhile stay. */
export function fillTree(planTree: PlanTree, view: TreeView, gates: readonly GateView[]): void {
  for (const edge of view.edges) noteSpawn(planTree, edge)
  for (const decision of view.decisions) putDecision(planTree, decision)
  for (const gate of gates) putGateNode(planTree, gate)
}

export function noteSpawn(planTree: PlanTree, edge: EdgeView): void {
  if (edge.dependency_type === 'plan') planTree.spawnOf.set(edge.downstream_ref, edge.upstream_decision_id)
}

export function putDecision(planTree: PlanTree, decision: DecisionView): void {
  const known = planTree.tree.nodes.get(decision.decision_id)
  const work = known?.item.kind === 'decision' ? known.item.work : noWork
  const parentId = decision.parent_decision_id ?? planTree.spawnOf.get(decision.plan_id) ?? null
  putNode(planTree.tree, {
    id: decision.decision_id,
    parentId,
    item: { kind: 'decision', decision, work },
  })
  if (known) return
  planTree.newestId = decision.decision_id
  // A child plan is one row until somebody opens it.
  if (decision.type.startsWith('subplan_')) setOpen(planTree.tree, decision.decision_id, 'folded')
}

/** An open question stands below its plan's first decision; an answered one leaves. */
export function putGateNode(planTree: PlanTree, gate: GateView): void {
  if (gate.status !== 'open') {
    removeNode(planTree.tree, gate.gate_id)
    return
  }
  putNode(planTree.tree, {
    id: gate.gate_id,
    parentId: rootDecisionOf(planTree, gate.plan_id),
    item: { kind: 'gate', gate },
  })
}

export function changeDecision(
  planTree: PlanTree,
  decisionId: string,
  change: (decision: DecisionView) => DecisionView,
): void {
  const node = planTree.tree.nodes.get(decisionId)
  if (node?.item.kind === 'decision') putDecision(planTree, change(node.item.decision))
}

export function noteStep(planTree: PlanTree, step: StepView): void {
  const node = planTree.tree.nodes.get(step.decision_id ?? '')
  if (node?.item.kind !== 'decision') return
  const others = node.item.work.runningStepIds.filter(id => id !== step.step_id)
  const isRunning = step.status === 'started' || step.status === 'authorised'
  const work = {
    runningStepIds: isRunning ? [...others, step.step_id] : others,
    hasFailed: isRunning ? false : step.status === 'failed' || step.status === 'interrupted',
  }
  node.item = { ...node.item, work }
}

function rootDecisionOf(planTree: PlanTree, planId: string): string | null {
  for (const node of planTree.tree.nodes.values()) {
    const { item } = node
    if (item.kind !== 'decision' || item.decision.plan_id !== planId) continue
    if (item.decision.parent_decision_id === null) return item.decision.decision_id
  }
  return planTree.spawnOf.get(planId) ?? null
}

function isHidden(item: TreeItem): boolean {
  return item.kind === 'decision' && item.decision.status === 'superseded'
}

function textOf(item: TreeItem): string {
  if (item.kind === 'gate') return item.gate.question
  const { question, chosen_option, type } = item.decision
  return `${type} ${question} ${chosen_option.label}`
}
