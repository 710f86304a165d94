import type { CallResult } from '../../src/a2a/client/rpc-failure.ts'
import type { RollbackView } from '../../src/a2a/protocol/views.ts'
import { selectedPlan } from '../../stores/selectors.ts'
import { popDialog } from '../../stores/ui.ts'
import type { UndoDialog } from '../dialogs.ts'
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

/** What taking the last correction or rollback back would do: going back to the checkpoint that was kept before it. */
export async function foresee({ store }: Screen, { planId }: UndoDialog): Promise<CallResult<RollbackView>> {
  const list = await store.call('_cleveragents/plan/checkpoint/list', { plan_id: planId })
  if (!list.ok) return list
  const safety = list.value.checkpoints.findLast(checkpoint => checkpoint.kind === 'safety')
  if (!safety) return { ok: false, failure: { ...nothingToUndo } }
  return store.call('_cleveragents/plan/rollback', {
    plan_id: planId,
    checkpoint_id: safety.checkpoint_id,
    dry_run: true,
  })
}

const nothingToUndo = {
  errorType: 'not_found',
  message: 'There is nothing to undo: this plan was neither corrected nor rolled back.',
  facts: {},
  code: 0,
}

/** Bound to the digest of what was shown: if anything moved since, the backend refuses and the new preview is shown. */
async function confirm(screen: Screen): Promise<void> {
  const { shelves } = screen.store
  const dialog = topDialog(screen, 'undo')
  const digest = dialog && digestToConfirm(screen, dialog)
  const foreseen = dialog && shelves.undos.peek(dialog.planId)
  if (!dialog || digest === null || foreseen?.kind !== 'ready') return
  changeTop(screen, 'undo', now => ({ ...now, sending: 'sending', message: null }))
  const result = await screen.store.call('_cleveragents/plan/rollback', {
    plan_id: dialog.planId,
    checkpoint_id: foreseen.value.checkpoint.checkpoint_id,
    digest,
  })
  shelves.undos.renew(dialog.planId)
  if (result.ok) {
    changeUi(screen, popDialog)
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
