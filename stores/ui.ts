import type { Correcting } from './follow-correction.ts'
import type { Picks } from './picks.ts'
import type { PlanOrder } from './plans.ts'
import type { SiblingOrder } from './tree.ts'

/** What the person chose to see. Dialogs are kept here as a stack; what they hold is the screen's business. */
export interface Ui<Dialog> {
  readonly size: Size
  readonly focus: Pane
  readonly tab: InspectorTab
  readonly selectedPlanId: string | null
  readonly planOffset: number
  /** Per plan. Selection follows the node's identity; the offset keeps it at its height while rows come and go above. */
  readonly nodes: Readonly<Record<string, NodeSelection>>
  readonly inspectorTop: number
  readonly planOrder: PlanOrder
  /** Plans whose children the person chose to see in the list, or not to. */
  readonly planFolds: Readonly<Record<string, 'open' | 'folded'>>
  readonly treeOrder: SiblingOrder
  readonly superseded: 'shown' | 'hidden'
  readonly follow: 'newest' | 'off'
  readonly filter: string
  readonly dialogs: readonly Dialog[]
  readonly notice: Notice | null
  /** The plan whose step a second ctrl+c interrupts. */
  readonly interruptArmedFor: string | null
  readonly correcting: Correcting | null
  /** Per plan: what of its changes the person chose to apply. Nothing chosen means all of them. */
  readonly picks: Readonly<Record<string, Picks>>
  readonly diffLayout: DiffLayout
  readonly themeName: string
}

export type DiffLayout = 'unified' | 'sideBySide'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export const panes = ['plans', 'tree', 'inspector'] as const
export type Pane = (typeof panes)[number]

export const inspectorTabs = ['decision', 'steps', 'log'] as const
export type InspectorTab = (typeof inspectorTabs)[number]

export interface NodeSelection {
  readonly id: string
  readonly offset: number
}

export interface Notice {
  readonly text: string
  readonly tone: 'info' | 'warning' | 'danger'
}

export function initialUi<Dialog>(options: { size: Size; themeName: string }): Ui<Dialog> {
  return {
    ...options,
    focus: 'plans',
    tab: 'decision',
    selectedPlanId: null,
    planOffset: 0,
    nodes: {},
    inspectorTop: 0,
    planOrder: 'newest',
    planFolds: {},
    treeOrder: 'oldest',
    superseded: 'hidden',
    follow: 'off',
    filter: '',
    dialogs: [],
    notice: null,
    interruptArmedFor: null,
    correcting: null,
    picks: {},
    diffLayout: 'unified',
  }
}

export function selectNode<Dialog>(ui: Ui<Dialog>, planId: string, node: NodeSelection): Ui<Dialog> {
  return { ...ui, nodes: { ...ui.nodes, [planId]: node }, inspectorTop: 0 }
}

export function selectPlan<Dialog>(ui: Ui<Dialog>, planId: string | null, offset: number): Ui<Dialog> {
  if (planId === ui.selectedPlanId) return { ...ui, planOffset: offset }
  return { ...ui, selectedPlanId: planId, planOffset: offset, inspectorTop: 0, filter: '' }
}

export function pushDialog<Dialog>(ui: Ui<Dialog>, dialog: Dialog): Ui<Dialog> {
  return { ...ui, dialogs: [...ui.dialogs, dialog] }
}

export function popDialog<Dialog>(ui: Ui<Dialog>): Ui<Dialog> {
  return { ...ui, dialogs: ui.dialogs.slice(0, -1) }
}

/** Changes the topmost dialog. */
export function changeDialog<Dialog>(ui: Ui<Dialog>, change: (dialog: Dialog) => Dialog): Ui<Dialog> {
  const top = ui.dialogs.at(-1)
  return top === undefined ? ui : { ...ui, dialogs: [...ui.dialogs.slice(0, -1), change(top)] }
}
