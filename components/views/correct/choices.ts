import type { DecisionView, OptionView } from '../../../src/a2a/protocol/views/decision.ts'
import type { PlanView } from '../../../src/a2a/protocol/views/plan.ts'
import type { Model } from '../../../stores/model.ts'
import { decisionItem } from '../../../stores/plan-tree.ts'
import { isHandedOver } from '../../../stores/plans.ts'
import type { Shelves } from '../../../stores/shelves.ts'
import type { CorrectDialog } from '../../dialogs.ts'
import { nameBelow, oneLine } from '../../words.ts'
import { allActions } from '../new-plan-rows.ts'

/** What can be asked for, in the order of the numbers that choose it. */
export type Choice =
  | { readonly kind: 'alternative'; readonly option: OptionView; readonly whyNot: string | null }
  | { readonly kind: 'words'; readonly whyNot: string | null }
  | { readonly kind: 'append'; readonly whyNot: string | null }

/** Each recorded alternative, free words, and work on top; each with the reason where it cannot be done. */
export function choicesFor(model: Model, dialog: { decisionId: string }): Choice[] {
  const decision = decisionOf(model, dialog)
  const plan = decision && model.plans.byId.get(decision.plan_id)
  if (!decision || !plan) return []
  const whyNot = whyNotRevert(model, plan, decision)
  return [
    ...decision.alternatives.map(option => ({ kind: 'alternative' as const, option, whyNot })),
    { kind: 'words', whyNot },
    { kind: 'append', whyNot: whyNotAppend(model, plan) },
  ]
}

export function decisionOf(model: Model, { decisionId }: { decisionId: string }): DecisionView | null {
  for (const planTree of model.trees.values()) {
    const item = decisionItem(planTree, decisionId)
    if (item) return item.decision
  }
  return null
}

/** Work on top of a child that is done goes on top of the plan that has its result. */
export function planToAppendTo(model: Model, plan: PlanView): PlanView {
  const above = model.plans.byId.get(plan.parent_plan_id ?? '')
  const isPartOfIt = above && plan.applies_to === 'parent' && (isHandedOver(plan) || plan.state === 'applied')
  return isPartOfIt ? planToAppendTo(model, above) : plan
}

export interface AppendableAction {
  /** Null is the plan's own. */
  readonly actionName: string | null
  readonly name: string
  readonly about: string
}

/** What an appended child can be made from: the plan's own action first, then every other that can be used. */
export function appendableActions(
  model: Model,
  shelves: Shelves,
  { planId }: Pick<CorrectDialog, 'planId'>,
): AppendableAction[] {
  const plan = model.plans.byId.get(planId)
  const own = plan ? planToAppendTo(model, plan).action : ''
  const others = allActions(shelves).filter(({ name, unavailable }) => name !== own && unavailable === null)
  return [
    { actionName: null, name: own, about: "the plan's own action" },
    ...others.map(({ name, description }) => ({ actionName: name, name, about: oneLine(description) })),
  ]
}

export function guidanceOf({ optionId, guidance }: Pick<CorrectDialog, 'optionId' | 'guidance'>): string {
  return optionId ?? guidance.text.trim()
}

function whyNotRevert(model: Model, plan: PlanView, decision: DecisionView): string | null {
  if (isHandedOver(plan)) {
    const above = model.plans.byId.get(plan.parent_plan_id ?? '')
    return `${nameBelow(plan.name)} is done and part of ${above?.name ?? 'the plan above it'}: correct the decision there that started it.`
  }
  if (plan.state === 'applied') return `${plan.name} has been applied: your files are not taken back here.`
  if (decision.key === null) return 'This was recorded and not chosen: there is nothing to take again.'
  return null
}

function whyNotAppend(model: Model, plan: PlanView): string | null {
  const { state, name } = planToAppendTo(model, plan)
  return state === 'cancelled' ? `${name} was cancelled.` : null
}
