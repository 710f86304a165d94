import type { RollbackView } from '../../src/a2a/protocol/views/rollback.ts'
import { selectedNode, selectedPlan } from '../../stores/selectors.ts'
import { popDialog, selectNode, type Ui } from '../../stores/ui.ts'
import type { Dialog } from '../dialogs.ts'
import { changeTop, changeUi, push, type Screen, situationOf, tell, topDialog } from '../screen.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { digestToConfirm, moveInPreview } from './preview.ts'
import { moves } from './scroll-page.ts'

export function openUndo(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  const plan = selectedPlan(model, ui)
  if (!plan) return
  screen.store.shelves.undos.clear()
  push(screen, { kind: 'undo', planId: plan.plan_id, at: null, sending: 'no', message: null })
}

export const undo: Behaviour = {
  handlers: {
    ...moves(moveInPreview),
    confirm: screen => void confirm(screen),
    back: screen => changeUi(screen, popDialog),
  } satisfies Handlers<'undo'>,
  isGuarded: true,
}

/** Bound to the digest of what was shown: if anything moved since, the backend refuses and the new preview is shown. */
async function confirm(screen: Screen): Promise<void> {
  const { shelves } = screen.store
  const dialog = topDialog(screen, 'undo')
  const digest = dialog && digestToConfirm(screen, dialog)
  const foreseen = dialog && shelves.undos.peek(dialog.planId)
  if (!dialog || digest === null || foreseen?.kind !== 'ready') return
  changeTop(screen, 'undo', now => ({ ...now, sending: 'sending', message: null }))
  const result = await screen.store.call('_cleveragents/plan/undo', { plan_id: dialog.planId, digest })
  shelves.undos.renew(dialog.planId)
  if (result.ok) {
    changeUi(screen, ui => lookAt(screen, popDialog(ui), foreseen.value))
    tell(screen, 'It is again as it was before. Press u to take that back.')
    return
  }
  const { message, errorType } = result.failure
  changeTop(screen, 'undo', now => ({
    ...now,
    sending: 'no',
    at: null,
    message: errorType === 'stale_answer' ? `${message} This is how it is now:` : message,
  }))
}

/** Where what was selected is taken back, on to the first decision that holds again. */
function lookAt(screen: Screen, ui: Ui<Dialog>, { impact }: RollbackView): Ui<Dialog> {
  const again = impact.decisions_again[0]?.decision_id
  const planId = ui.selectedPlanId
  if (again === undefined || planId === null || selectedNode(screen.store.model, ui).kind !== 'gone')
    return ui
  return selectNode(ui, planId, { id: again, offset: ui.nodes[planId]?.offset ?? 0 })
}
