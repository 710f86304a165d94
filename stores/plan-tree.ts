import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { DecisionView, TreeView } from '../src/a2a/protocol/views/decision.ts'
import type { GateView } from '../src/a2a/protocol/views/gate.ts'
import type { ChildPlanView } from '../src/a2a/protocol/views/plan.ts'
import type { StepView } from '../src/a2a/protocol/views/step.ts'
import {
  createTree,
  moveNode,
  type Place,
  putNode,
  removeNode,
  setOpen,
  type Tree,
  type TreeRules,
} from './tree.ts'

/** One plan's decisions as a tree, with its open questions as leaves and its child plans below their spawn. */
export interface PlanTree {
  readonly planId: string
  status: TreeStatus
  tree: Tree<TreeItem>
  /** The decision of each key of each plan that holds, else the last: a next one with this key replaces it. */
  readonly byKey: Map<string, string>
  /** What a person said in a correction, and the decision that it was about. */
  readonly saidAbout: Map<string, string>
  /** What was told of a decision, before it was itself: events and answers may overtake each other. */
  readonly early: Map<string, Partial<DecisionView>>
  /** Superseded by a correction that has not come to them again yet. */
  readonly awaited: Set<string>
  /** Nodes at the top that belong below one that is not known yet. */
  readonly orphans: Map<string, Set<string>>
  newestId: string | null
}

/** While loading, events wait here: the answer may be older than they are. */
export type TreeStatus =
  | { readonly kind: 'loading'; readonly waiting: WireEvent[] }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }

export type TreeItem =
  | {
      readonly kind: 'decision'
      readonly decision: DecisionView
      readonly work: Work
      /** Superseded, but in sight where it was until the correction comes to it again. */
      readonly isAwaited: boolean
    }
  | { readonly kind: 'gate'; readonly gate: GateView }
  /** A child plan; what it decides stands below it. */
  | { readonly kind: 'plan'; readonly plan: ChildPlan; readonly isGone: boolean }

/** What the tree shows of a child plan, as its parent and it itself tell it. */
export type ChildPlan = Pick<
  ChildPlanView,
  'plan_id' | 'name' | 'spawn_decision_id' | 'action' | 'phase' | 'state' | 'reason' | 'changes'
> & { readonly parent_plan_id: string | null }

export type DecisionItem = Extract<TreeItem, { kind: 'decision' }>

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
    tree: createTree(treeRules),
    byKey: new Map(),
    saidAbout: new Map(),
    early: new Map(),
    awaited: new Set(),
    orphans: new Map(),
    newestId: null,
  }
}

/** Fills in what the backend answered. Folding and filters that the person chose meanwhile stay. */
export function fillTree(planTree: PlanTree, view: TreeView, gates: readonly GateView[]): void {
  for (const plan of view.plans) putPlanNode(planTree, plan)
  for (const decision of view.decisions) putDecision(planTree, decision)
  for (const gate of gates) putGateNode(planTree, gate)
}

export function putDecision(planTree: PlanTree, told: DecisionView): void {
  const id = told.decision_id
  const decision = { ...told, ...planTree.early.get(id) }
  planTree.early.delete(id)
  const known = decisionItem(planTree, id)
  put(planTree, {
    id,
    ...placeOf(planTree, decision),
    item: { kind: 'decision', decision, work: known?.work ?? noWork, isAwaited: planTree.awaited.has(id) },
  })
  noteSaid(planTree, decision)
  if (takesKey(planTree, decision, known)) planTree.byKey.set(keyOf(decision), id)
  if (known) return
  planTree.newestId = id
  // A child plan is one row until somebody opens it.
  if (decision.type.startsWith('subplan_')) setOpen(planTree.tree, id, 'folded')
}

/** One that came, or that holds again after an undo; what was taken back does not stand for what holds. */
function takesKey(planTree: PlanTree, decision: DecisionView, known: DecisionItem | null): boolean {
  if (decision.key === null) return false
  const isActive = decision.status === 'active'
  if (known) return isActive && known.decision.status !== 'active'
  const holder = decisionItem(planTree, planTree.byKey.get(keyOf(decision)) ?? '')
  return isActive || holder?.decision.status !== 'active'
}

/** A child plan stands below the decision that started it; the decisions of several are one key press away. */
export function putPlanNode(planTree: PlanTree, plan: ChildPlan): void {
  const parentPlanId = plan.parent_plan_id === planTree.planId ? null : plan.parent_plan_id
  const parentId = plan.spawn_decision_id ?? parentPlanId
  const spawn = decisionItem(planTree, parentId ?? '')
  const item = { kind: 'plan' as const, plan, isGone: spawn !== null && isOld(spawn) }
  const isNew = !planTree.tree.nodes.has(plan.plan_id)
  put(planTree, { id: plan.plan_id, parentId, item })
  // One child is opened with its decision; of several each is a row of its own.
  if (isNew && spawn?.decision.type !== 'subplan_spawn') setOpen(planTree.tree, plan.plan_id, 'folded')
}

/** An open question stands below its plan's first decision, one of a child below the child; an answered one leaves. */
export function putGateNode(planTree: PlanTree, gate: GateView): void {
  if (gate.status !== 'open') {
    removeNode(planTree.tree, gate.gate_id)
    return
  }
  put(planTree, {
    id: gate.gate_id,
    parentId: gate.plan_id === planTree.planId ? (rootDecision(planTree)?.decision_id ?? null) : gate.plan_id,
    item: { kind: 'gate', gate },
  })
}

/** What changes about a decision, known or not yet known. */
export function changeDecision(planTree: PlanTree, decisionId: string, facts: Partial<DecisionView>): void {
  const item = decisionItem(planTree, decisionId)
  if (!item) {
    planTree.early.set(decisionId, { ...planTree.early.get(decisionId), ...facts })
    return
  }
  putDecision(planTree, { ...item.decision, ...facts })
  for (const child of planTree.tree.nodes.get(decisionId)?.children ?? [])
    if (child.item.kind === 'plan') putPlanNode(planTree, child.item.plan)
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

export function decisionItem(planTree: PlanTree, id: string): DecisionItem | null {
  const item = planTree.tree.nodes.get(id)?.item
  return item?.kind === 'decision' ? item : null
}

/** Where a decision belongs by what it says itself. */
export function parentOf(planTree: PlanTree, decision: DecisionView): string | null {
  if (decision.parent_decision_id !== null) return decision.parent_decision_id
  return decision.plan_id === planTree.planId ? null : decision.plan_id
}

/** The one before it with the same key: taken again, a decision stands where that one stood. */
export function replacedBy(planTree: PlanTree, decision: DecisionView): string | null {
  const sameKey = decision.key === null ? undefined : planTree.byKey.get(keyOf(decision))
  if (sameKey !== undefined) return sameKey === decision.decision_id ? null : sameKey
  const corrected = decisionItem(planTree, decision.corrects_decision_id ?? '')
  return corrected?.isAwaited ? corrected.decision.decision_id : null
}

function placeOf(planTree: PlanTree, decision: DecisionView): Place {
  const parentId = parentOf(planTree, decision)
  const replaced = decisionItem(planTree, replacedBy(planTree, decision) ?? '')
  if (!replaced) return { parentId, behind: planTree.saidAbout.get(decision.decision_id) ?? null }
  const replacedId = replaced.decision.decision_id
  // What the person said about it comes between the two.
  const saidId = replaced.decision.superseded_by ?? ''
  const said = planTree.saidAbout.get(saidId) === replacedId ? planTree.tree.nodes.get(saidId) : undefined
  const isBeside = said !== undefined && said.parent?.id === (parentId ?? '')
  return { parentId, behind: isBeside ? saidId : replacedId }
}

/** What the person said stands right behind the decision that it was about, the first that it superseded. */
function noteSaid({ tree, saidAbout }: PlanTree, { decision_id, superseded_by }: DecisionView): void {
  if (superseded_by === null || saidAbout.has(superseded_by)) return
  saidAbout.set(superseded_by, decision_id)
  const said = tree.nodes.get(superseded_by)
  const about = tree.nodes.get(decision_id)
  if (said?.parent && said.parent === about?.parent)
    moveNode(tree, said.id, { parentId: said.parent.id, behind: about.id })
}

/** Puts a node, and below it those that waited for it. */
function put(planTree: PlanTree, { id, item, ...place }: Place & { id: string; item: TreeItem }): void {
  const { tree, orphans } = planTree
  const wanted = place.parentId
  if (!tree.nodes.has(id) && wanted !== null && !tree.nodes.has(wanted))
    orphans.set(wanted, (orphans.get(wanted) ?? new Set()).add(id))
  putNode(tree, { id, item, ...place })
  for (const orphan of orphans.get(id) ?? []) moveNode(tree, orphan, { parentId: id })
  orphans.delete(id)
}

/** The first decision of the plan: what it is to do. */
export function rootDecision(planTree: PlanTree): DecisionView | null {
  for (const { item } of planTree.tree.root.children) {
    if (item.kind === 'decision' && item.decision.plan_id === planTree.planId) return item.decision
  }
  return null
}

function keyOf({ plan_id, key }: DecisionView): string {
  return `${plan_id} ${key}`
}

function isOld({ decision, isAwaited }: DecisionItem): boolean {
  return decision.status === 'superseded' && !isAwaited
}

export function isHidden(item: TreeItem): boolean {
  return item.kind === 'plan' ? item.isGone : item.kind === 'decision' && isOld(item)
}

/** The plan of a superseded spawn is gone with everything it decided. */
function hidesBelow(item: TreeItem): boolean {
  return item.kind === 'plan'
}

function textOf(item: TreeItem): string {
  if (item.kind === 'gate') return item.gate.question
  if (item.kind === 'plan') return `${item.plan.name} ${item.plan.action}`
  const { question, chosen_option, type } = item.decision
  return `${type} ${question} ${chosen_option.label}`
}

export const treeRules: TreeRules<TreeItem> = { isHidden, hidesBelow, textOf }
