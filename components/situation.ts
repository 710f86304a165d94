import { comparable } from '../stores/comparable.ts'
import type { Connection } from '../stores/connection.ts'
import { applyGateOf } from '../stores/gates.ts'
import type { Model } from '../stores/model.ts'
import { rootDecision } from '../stores/plan-tree.ts'
import { isHandedOver } from '../stores/plans.ts'
import { actingPlan, selectedNode, selectedPlan, selectedTree } from '../stores/selectors.ts'
import type { Ui } from '../stores/ui.ts'
import type { Dialog } from './dialogs.ts'

/** What the key table looks at to tell whether something can be done now, and why not. */
export interface Situation {
  readonly model: Model
  readonly ui: Ui<Dialog>
  readonly connection: Connection
}

type WhyNot = (situation: Situation) => string | undefined

export function allOf(...reasons: readonly WhyNot[]): WhyNot {
  return situation => {
    for (const reason of reasons) {
      const text = reason(situation)
      if (text !== undefined) return text
    }
    return undefined
  }
}

export function notConnected({ connection }: Situation): string | undefined {
  return connection.kind === 'connected' ? undefined : 'The backend is not connected.'
}

export function noPlan({ model, ui }: Situation): string | undefined {
  return selectedPlan(model, ui) === null ? 'No plan is selected.' : undefined
}

export function planHasEnded({ model, ui }: Situation): string | undefined {
  const plan = actingPlan(model, ui)
  if (plan && isHandedOver(plan)) return `${plan.name} is done: its result is part of the plan above it.`
  if (plan?.state === 'applied') return `${plan.name} has been applied.`
  return plan?.state === 'cancelled' ? `${plan.name} was cancelled.` : undefined
}

/** Acting keys are off while the selected node is not on screen. */
export function nodeIsGone({ model, ui }: Situation): string | undefined {
  if (ui.focus === 'plans') return undefined
  return selectedNode(model, ui).kind === 'gone'
    ? 'The selected node is no longer shown: move to choose another.'
    : undefined
}

export function planIsCancelled({ model, ui }: Situation): string | undefined {
  const plan = selectedPlan(model, ui)
  return plan?.state === 'cancelled' ? `${plan.name} was cancelled.` : undefined
}

/** What acts on a decision acts on the one in sight: in the list of plans, on the plan's first. */
export function noDecision({ model, ui }: Situation): string | undefined {
  if (ui.focus === 'plans') {
    const planTree = selectedTree(model, ui)
    return planTree && rootDecision(planTree) ? undefined : 'Nothing has been decided yet.'
  }
  const selected = selectedNode(model, ui)
  if (selected.kind !== 'shown') return 'No decision is selected: move to one in the tree.'
  switch (selected.node.item.kind) {
    case 'decision':
      return undefined
    case 'gate':
      return 'This is an open question: press enter to answer it.'
    case 'plan':
      return 'This is a child plan: open it and choose one of its decisions.'
  }
}

export function decisionIsSuperseded({ model, ui }: Situation): string | undefined {
  if (ui.focus === 'plans') return undefined
  const selected = selectedNode(model, ui)
  if (selected.kind !== 'shown' || selected.node.item.kind !== 'decision') return undefined
  return selected.node.item.decision.status === 'superseded'
    ? 'This decision is superseded; correct the one that replaced it.'
    : undefined
}

/** A part can be chosen where all of a plan's changes are shown and the question before Apply is open. */
export function notToApply({ model, ui }: Situation): string | undefined {
  const dialog = ui.dialogs.at(-1)
  if (dialog?.kind !== 'diff') return undefined
  const { planId, decisionId, correctionId, against } = dialog.source
  if (decisionId !== null || correctionId !== null || against !== null)
    return 'Choose from the diff of the plan as a whole.'
  return applyGateOf(model.gates, planId) ? undefined : 'Nothing of this plan waits to be applied.'
}

/** A strategy in words is edited where it is asked about, before Execute. */
export function noStrategyHere({ model, ui }: Situation): string | undefined {
  const dialog = ui.dialogs.at(-1)
  const gate = dialog?.kind === 'gate' ? model.gates.open.get(dialog.gateId) : undefined
  return typeof gate?.subject['strategy'] === 'string'
    ? undefined
    : 'No strategy in words is asked about here.'
}

export function nothingToCompare(situation: Situation): string | undefined {
  const plan = actingPlan(situation.model, situation.ui)
  return plan && comparable(situation.model, plan).length === 0
    ? `${plan.name} has no correction, and no other plan of its project, to be compared with.`
    : undefined
}
