import type { Model } from './model.ts'
import { setFilter, setShowHidden } from './tree.ts'
import type { Ui } from './ui.ts'

/** Gives the selected plan's tree the choices that hold for what is shown: filter, order, superseded or not. */
export function keepChoices(model: Model, ui: Ui<unknown>): void {
  const tree = model.trees.get(ui.selectedPlanId ?? '')?.tree
  if (!tree) return
  tree.order = ui.treeOrder
  if (tree.showHidden !== (ui.superseded === 'shown')) setShowHidden(tree, ui.superseded)
  if (tree.filter !== ui.filter.toLowerCase()) setFilter(tree, ui.filter)
}
