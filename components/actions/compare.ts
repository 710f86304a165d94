import { type Comparable, comparable } from '../../stores/comparable.ts'
import { actingPlan, selectedNode } from '../../stores/selectors.ts'
import { popDialog } from '../../stores/ui.ts'
import type { CompareDialog, DiffSource } from '../dialogs.ts'
import { changeTop, changeUi, push, type Screen, situationOf, topDialog } from '../screen.ts'
import { moveBy } from '../scroll.ts'
import { oneLine } from '../words.ts'
import { showDiff } from './diff.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { moves } from './scroll-page.ts'

/** On a decision that a correction made, that correction is proposed first. */
export function openCompare(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  const plan = actingPlan(model, ui)
  if (!plan) return
  const selected = ui.focus === 'plans' ? null : selectedNode(model, ui)
  const item = selected?.kind === 'shown' ? selected.node.item : null
  const made = item?.kind === 'decision' ? item.decision.correction_id : null
  const cursor = comparable(model, plan).findIndex(
    each => each.kind === 'correction' && each.correctionId === made,
  )
  push(screen, { kind: 'compare', planId: plan.plan_id, cursor: Math.max(0, cursor) })
}

const handlers: Handlers<'compare'> = {
  ...moves((screen, steps) =>
    changeTop(screen, 'compare', now => ({
      ...now,
      cursor: moveBy(now.cursor, steps, choicesOf(screen, now).length),
    })),
  ),
  open(screen) {
    const dialog = topDialog(screen, 'compare')
    const choice = dialog && choicesOf(screen, dialog)[dialog.cursor]
    if (choice) showDiff(screen, sourceOf(screen, dialog.planId, choice))
  },
  back: screen => changeUi(screen, popDialog),
}

export const compare: Behaviour = { handlers }

function choicesOf(screen: Screen, { planId }: CompareDialog): Comparable[] {
  const { model } = screen.store
  const plan = model.plans.byId.get(planId)
  return plan ? comparable(model, plan) : []
}

function sourceOf(screen: Screen, planId: string, choice: Comparable): DiffSource {
  const name = oneLine(screen.store.model.plans.byId.get(planId)?.name ?? '')
  const plain = { planId, decisionId: null, correctionId: null, against: null }
  if (choice.kind === 'plan')
    return { ...plain, against: choice.plan.plan_id, title: `${name} against ${oneLine(choice.plan.name)}` }
  return {
    ...plain,
    correctionId: choice.correctionId,
    title: `${name}, before and after the correction of #${choice.target.number}`,
  }
}
