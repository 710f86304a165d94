import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { isRunning } from '../../stores/plans.ts'
import { actingPlan, runningPlans, selectedNode, selectedTree } from '../../stores/selectors.ts'
import { setAllOpen } from '../../stores/tree.ts'
import { inspectorTabs, panes } from '../../stores/ui.ts'
import { homeLayout, nextPane, paneWidth } from '../layout.ts'
import { createEditor } from '../parts/editor-model.ts'
import { ask, changeUi, push, type Screen, situationOf, tell } from '../screen.ts'
import { openAudit } from './audit.ts'
import { openCompare } from './compare.ts'
import { openCorrect } from './correct.ts'
import { startDemo } from './demo.ts'
import { openDiff } from './diff.ts'
import { openGate, openInbox } from './gate.ts'
import type { Behaviour, Handlers } from './handler.ts'
import {
  foldNode,
  foldOrUp,
  foldPlanOrUp,
  moveHome,
  paneHeight,
  selection,
  togglePlanFold,
  unfoldOrDown,
  unfoldPlan,
} from './home-move.ts'
import { openNewPlan } from './new-plan.ts'
import { openProfiles } from './profiles.ts'
import { openUndo } from './undo.ts'

const handlers: Handlers<'home'> = {
  up: screen => moveHome(screen, -1),
  down: screen => moveHome(screen, 1),
  pageUp: screen => moveHome(screen, -paneHeight(screen)),
  pageDown: screen => moveHome(screen, paneHeight(screen)),
  first: screen => moveHome(screen, Number.NEGATIVE_INFINITY),
  last: screen => moveHome(screen, Number.POSITIVE_INFINITY),
  fold(screen) {
    const { focus } = screen.store.ui()
    if (focus === 'plans') foldPlanOrUp(screen)
    else if (focus === 'tree') foldOrUp(screen)
    else focusOn(screen, -1)
  },
  unfold(screen) {
    const { focus } = screen.store.ui()
    if (focus === 'tree') unfoldOrDown(screen)
    else if (focus !== 'plans' || !unfoldPlan(screen)) focusOn(screen, 1)
  },
  open: openSelected,
  nextPane: screen => changeUi(screen, ui => ({ ...ui, focus: nextPane(ui.focus, 1) })),
  previousPane: screen => changeUi(screen, ui => ({ ...ui, focus: nextPane(ui.focus, -1) })),
  back: screen => focusOn(screen, -1),
  diff: openDiff,
  compare: openCompare,
  correct: openCorrect,
  gates: openInbox,
  newPlan: openNewPlan,
  demo: screen => void startDemo(screen),
  filter: screen => {
    const before = screen.store.ui().filter
    push(screen, { kind: 'filter', editor: createEditor('one', before), before })
  },
  inspect,
  toggleFold(screen) {
    if (screen.store.ui().focus === 'plans') {
      togglePlanFold(screen)
      return
    }
    const found = selection(screen)
    if (found) foldNode(screen, found.planTree, found.node, found.node.isOpen ? 'folded' : 'open')
  },
  foldAll,
  superseded: screen =>
    changeUi(screen, ui => ({ ...ui, superseded: ui.superseded === 'shown' ? 'hidden' : 'shown' })),
  order: screen =>
    changeUi(screen, ui =>
      ui.focus === 'plans'
        ? { ...ui, planOrder: ui.planOrder === 'newest' ? 'waiting' : 'newest' }
        : { ...ui, treeOrder: ui.treeOrder === 'newest' ? 'oldest' : 'newest' },
    ),
  follow,
  pause,
  cancel(screen) {
    const plan = planOf(screen)
    if (plan) push(screen, { kind: 'cancel', planId: plan.plan_id })
  },
  copy,
  undo: openUndo,
  profiles: openProfiles,
  audit: openAudit,
  leave(screen) {
    if (runningPlans(screen.store.model).length === 0) screen.hooks.leave('ends')
    else push(screen, { kind: 'leave' })
  },
}

export const home: Behaviour = { handlers }

function focusOn(screen: Screen, steps: 1 | -1): void {
  changeUi(screen, ui => {
    const at = panes.indexOf(ui.focus) + steps
    return { ...ui, focus: panes[Math.max(0, Math.min(at, panes.length - 1))] ?? ui.focus }
  })
}

/** Enter: a plan opens its tree, an open question its card, a decision its details. */
function openSelected(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  const selected = selectedNode(model, ui)
  if (ui.focus === 'tree' && selected.kind === 'shown' && selected.node.item.kind === 'gate')
    openGate(screen, selected.node.item.gate.gate_id)
  else focusOn(screen, 1)
}

/** Goes through the tabs; where the inspector is out of sight, shows it first. */
function inspect(screen: Screen): void {
  changeUi(screen, ui => {
    const layout = homeLayout(ui.size, ui.focus)
    if (paneWidth(layout, 'inspector') === 0) return { ...ui, focus: 'inspector' }
    return { ...ui, tab: after(inspectorTabs, ui.tab), inspectorTop: 0 }
  })
}

function foldAll(screen: Screen): void {
  const planTree = selectedTree(screen.store.model, screen.store.ui())
  if (!planTree) return
  const { tree } = planTree
  const isAnyOpen = [...tree.nodes.values()].some(node => node.isOpen && node.children.length > 0)
  setAllOpen(tree, isAnyOpen ? 'folded' : 'open')
  changeUi(screen, ui => ({ ...ui }))
}

function follow(screen: Screen): void {
  changeUi(screen, ui => ({ ...ui, follow: ui.follow === 'newest' ? 'off' : 'newest' }))
  const ui = screen.store.ui()
  const planTree = selectedTree(screen.store.model, ui)
  if (ui.follow === 'off' || !planTree?.newestId) return
  const selected = { id: planTree.newestId, offset: Number.MAX_SAFE_INTEGER }
  changeUi(screen, now => ({ ...now, nodes: { ...now.nodes, [planTree.planId]: selected } }))
}

function pause(screen: Screen): void {
  const plan = planOf(screen)
  if (!plan) return
  const { plan_id } = plan
  if (isRunning(plan))
    void ask(screen, '_cleveragents/plan/pause', { plan_id }, `${plan.name} pauses at the next step.`)
  else void ask(screen, '_cleveragents/plan/resume', { plan_id }, `${plan.name} goes on.`)
}

function copy(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  const selected = ui.focus === 'plans' ? { kind: 'none' as const } : selectedNode(model, ui)
  const id = selected.kind === 'shown' ? selected.node.id : (ui.selectedPlanId ?? '')
  screen.hooks.sendSequence(`\u001b]52;c;${Buffer.from(id).toString('base64')}\u0007`)
  tell(screen, 'The id was sent to the clipboard of your terminal.')
}

function planOf(screen: Screen): PlanView | null {
  return actingPlan(screen.store.model, screen.store.ui())
}

function after<Value>(values: readonly Value[], value: Value): Value {
  return values[(values.indexOf(value) + 1) % values.length] ?? value
}
