import { pathTo, selectedNode, selectedPlan, selectedTree, waitingPlans } from '../../stores/selectors.ts'
import { rowOf, windowOf } from '../../stores/tree-window.ts'
import { linesFrom, wrapped } from '../look.ts'
import { treeRow } from '../parts/tree-row.ts'
import { firstRow } from '../scroll.ts'
import { capitalised, itemName, nameBelow, oneLine } from '../words.ts'
import { inspectorTitle } from './home-inspector.ts'
import type { ViewProps } from './view.ts'

export function treeTitle({ situation }: ViewProps): string {
  const { model, ui } = situation
  const plan = selectedPlan(model, ui)
  if (!plan) return 'Tree'
  const marks = [
    ui.filter === '' ? '' : `filter "${ui.filter}"`,
    ui.superseded === 'shown' ? 'with superseded' : '',
    ui.treeOrder === 'newest' ? 'newest first' : '',
    ui.follow === 'newest' ? 'following' : '',
  ].filter(mark => mark !== '')
  return [oneLine(plan.name), ...marks].join(', ')
}

/** Where one is, in one line, where only one pane fits. */
export function breadcrumb(props: ViewProps): string {
  const { model, ui } = props.situation
  const plan = selectedPlan(model, ui)
  if (ui.focus === 'plans' || !plan) return 'Plans'
  if (ui.focus === 'tree') return `Plans > ${treeTitle(props)}`
  const selected = selectedNode(model, ui)
  const path = selected.kind === 'shown' ? pathTo(selected.node) : []
  const last = path.at(-1)?.item
  const within = path.flatMap(({ item }) => (item.kind === 'plan' ? [nameBelow(item.plan.name)] : []))
  const names = [...within, ...(last && last.kind !== 'plan' ? [itemName(last)] : [])]
  return ['Plans', plan.name, ...names].map(name => `${oneLine(name)} > `).join('') + inspectorTitle(props)
}

export function treeLines({ situation, look }: ViewProps, width: number, height: number): string[] {
  const { model, ui } = situation
  const say = (text: string, tone: 'muted' | 'danger' = 'muted') =>
    linesFrom(look, [[], ...wrapped(text, width - 2, tone, 1)], { top: 0, width, height })
  const planTree = selectedTree(model, ui)
  if (!selectedPlan(model, ui)) return say('Choose a plan to see its decisions.')
  if (planTree?.status.kind === 'failed') return say(planTree.status.message, 'danger')
  if (planTree?.status.kind !== 'ready') return say('Loading the tree')
  const { tree } = planTree
  if (tree.root.rows === 0) return say(emptyWord(ui.filter, tree.nodes.size))
  const chosen = ui.nodes[planTree.planId]
  const node = tree.nodes.get(chosen?.id ?? '')
  const row = node ? rowOf(tree, node) : 0
  const top = firstRow({ row, offset: chosen?.offset ?? 0, height, count: tree.root.rows })
  const waiting = waitingPlans(model)
  return windowOf(tree, top, height).map(each =>
    treeRow(look, each, {
      width,
      waiting,
      plans: model.plans.byId,
      selection: each.node !== node ? 'none' : ui.focus === 'tree' ? 'focused' : 'marked',
    }),
  )
}

function emptyWord(filter: string, known: number): string {
  if (filter !== '') return capitalised(`nothing here contains "${filter}".`)
  return known > 0 ? 'All decisions are superseded. Press s to see them.' : 'No decisions yet.'
}
