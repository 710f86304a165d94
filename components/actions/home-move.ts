import type { PlanTree, TreeItem } from '../../stores/plan-tree.ts'
import { type ListedPlan, listedPlans, selectedTree } from '../../stores/selectors.ts'
import { setOpen, showsChildren, type TreeNode } from '../../stores/tree.ts'
import { isOnScreen, nodeAt, rowOf } from '../../stores/tree-window.ts'
import { selectNode, selectPlan } from '../../stores/ui.ts'
import { homeLayout } from '../layout.ts'
import { changeUi, type Screen } from '../screen.ts'
import { firstRow, moveBy, scrollBy } from '../scroll.ts'
import { inspectorRowCount } from './inspector-size.ts'

/** Moves in the pane that has the focus. Infinite steps go to the ends. */
export function moveHome(screen: Screen, steps: number): void {
  switch (screen.store.ui().focus) {
    case 'plans':
      moveInPlans(screen, steps)
      break
    case 'tree':
      moveInTree(screen, steps)
      break
    case 'inspector':
      moveInInspector(screen, steps)
      break
  }
}

export function paneHeight(screen: Screen): number {
  const { size, focus } = screen.store.ui()
  const layout = homeLayout(size, focus)
  return layout.kind === 'panes' ? layout.height : 1
}

/** Left in the list of plans: folds a plan's children away, else goes to its parent. */
export function foldPlanOrUp(screen: Screen): void {
  const row = selectedRow(screen)
  if (row?.fold === 'open') foldPlan(screen, 'folded')
  else if (row?.plan.parent_plan_id)
    changeUi(screen, ui => selectPlan(ui, row.plan.parent_plan_id, ui.planOffset))
}

/** Right in the list of plans: shows a plan's children; false where there is nothing to show. */
export function unfoldPlan(screen: Screen): boolean {
  if (selectedRow(screen)?.fold !== 'folded') return false
  foldPlan(screen, 'open')
  return true
}

export function togglePlanFold(screen: Screen): void {
  const fold = selectedRow(screen)?.fold
  if (fold === 'open' || fold === 'folded') foldPlan(screen, fold === 'open' ? 'folded' : 'open')
}

/** Left: folds what is open, else goes to the parent. */
export function foldOrUp(screen: Screen): void {
  const found = selection(screen)
  if (!found) return
  const { planTree, node } = found
  if (node.children.length > 0 && node.isOpen) foldNode(screen, planTree, node, 'folded')
  else if (node.parent && node.parent !== planTree.tree.root) choose(screen, planTree, node.parent)
}

/** Right: opens what is folded, else goes to the first child. */
export function unfoldOrDown(screen: Screen): void {
  const found = selection(screen)
  if (!found) return
  const { planTree, node } = found
  if (node.children.length > 0 && !node.isOpen) foldNode(screen, planTree, node, 'open')
  else if (showsChildren(planTree.tree, node) && node.childRows > 0) moveInTree(screen, 1)
}

export function foldNode(
  screen: Screen,
  planTree: PlanTree,
  node: TreeNode<TreeItem>,
  to: 'open' | 'folded',
): void {
  setOpen(planTree.tree, node.id, to)
  changeUi(screen, ui => ({ ...ui }))
}

export function selection(screen: Screen): { planTree: PlanTree; node: TreeNode<TreeItem> } | null {
  const ui = screen.store.ui()
  const planTree = selectedTree(screen.store.model, ui)
  const node = planTree?.tree.nodes.get(ui.nodes[planTree.planId]?.id ?? '')
  return planTree && node ? { planTree, node } : null
}

/** Selects a node; where it will stand follows from where the selected one stands now. */
function choose(screen: Screen, planTree: PlanTree, node: TreeNode<TreeItem>): void {
  const { tree, planId } = planTree
  const ui = screen.store.ui()
  const height = paneHeight(screen)
  const old = tree.nodes.get(ui.nodes[planId]?.id ?? '')
  const oldRow = old ? rowOf(tree, old) : 0
  const top = firstRow({ row: oldRow, offset: ui.nodes[planId]?.offset ?? 0, height, count: tree.root.rows })
  const offset = Math.max(0, Math.min(rowOf(tree, node) - top, height - 1))
  changeUi(screen, now => ({ ...selectNode(now, planId, { id: node.id, offset }), follow: 'off' }))
}

function moveInTree(screen: Screen, steps: number): void {
  const planTree = selectedTree(screen.store.model, screen.store.ui())
  if (planTree?.status.kind !== 'ready') return
  const { tree } = planTree
  const found = selection(screen)
  const from = found ? rowOf(tree, found.node) : 0
  // From a node that is no longer shown, the first press goes to the row that took its place.
  const real = found && isOnScreen(tree, found.node) ? steps : found ? Math.max(0, steps - 1) : 0
  const node = nodeAt(tree, moveBy(from, real, tree.root.rows))
  if (node) choose(screen, planTree, node)
}

function selectedRow(screen: Screen): ListedPlan | undefined {
  const ui = screen.store.ui()
  return listedPlans(screen.store.model, ui).find(({ plan }) => plan.plan_id === ui.selectedPlanId)
}

function foldPlan(screen: Screen, to: 'open' | 'folded'): void {
  changeUi(screen, ui => {
    const planId = ui.selectedPlanId
    return planId === null ? ui : { ...ui, planFolds: { ...ui.planFolds, [planId]: to } }
  })
}

function moveInPlans(screen: Screen, steps: number): void {
  const ui = screen.store.ui()
  const plans = listedPlans(screen.store.model, ui)
  const from = plans.findIndex(({ plan }) => plan.plan_id === ui.selectedPlanId)
  const to = from < 0 ? 0 : moveBy(from, steps, plans.length)
  const height = paneHeight(screen)
  const top = firstRow({ row: Math.max(0, from), offset: ui.planOffset, height, count: plans.length })
  const plan = plans[to]?.plan
  if (plan)
    changeUi(screen, now => selectPlan(now, plan.plan_id, Math.max(0, Math.min(to - top, height - 1))))
}

function moveInInspector(screen: Screen, steps: number): void {
  const view = { count: inspectorRowCount(screen), height: paneHeight(screen) }
  changeUi(screen, ui => ({ ...ui, inspectorTop: scrollBy(ui.inspectorTop, steps, view) }))
}
