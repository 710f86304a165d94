import type { DecisionView } from '../../src/a2a/protocol/views.ts'
import type { Correcting } from '../../stores/follow-correction.ts'
import { selectedNode } from '../../stores/selectors.ts'
import { popDialog, type Ui } from '../../stores/ui.ts'
import type { CorrectDialog, Dialog } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { createEditor } from '../parts/editor-model.ts'
import { plainProps } from '../plain-props.ts'
import { changeTop, changeUi, push, type Screen, situationOf, tell, topDialog } from '../screen.ts'
import { moveBy, scrollBy } from '../scroll.ts'
import { chooseRows, decisionOf, previewKey, previewRows } from '../views/correct-rows.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { moves } from './scroll-page.ts'
import { typedInto } from './text-input.ts'

export function openCorrect(screen: Screen): void {
  const { model, ui } = situationOf(screen)
  const selected = selectedNode(model, ui)
  if (selected.kind !== 'shown' || selected.node.item.kind !== 'decision') return
  const { decision } = selected.node.item
  push(screen, {
    kind: 'correct',
    planId: decision.plan_id,
    decisionId: decision.decision_id,
    step: 'choose',
    cursor: 0,
    guidance: createEditor('many'),
    top: 0,
    digest: null,
    sending: 'no',
    message: null,
  })
}

const chooseHandlers: Handlers<'correct'> = {
  ...moves((screen, steps) =>
    changeTop(screen, 'correct', now => {
      const count = chooseRows(decisionFor(screen, now)).length
      return { ...now, cursor: moveBy(now.cursor, steps, count), message: null }
    }),
  ),
  next: screen => changeTop(screen, 'correct', now => afterChoice(now, decisionFor(screen, now))),
  back: screen => changeUi(screen, popDialog),
}

export const correct: Behaviour = { handlers: chooseHandlers }

export const correctGuidance: Behaviour = {
  handlers: {
    send: screen =>
      changeTop(screen, 'correct', now =>
        now.guidance.text.trim() === ''
          ? { ...now, message: 'Write what should be different.' }
          : { ...now, step: 'preview', top: 0, message: null },
      ),
    back: screen => changeTop(screen, 'correct', now => ({ ...now, step: 'choose', message: null })),
  } satisfies Handlers<'guidance'>,
  intercept(screen, event) {
    const dialog = topDialog(screen, 'correct')
    const editor = dialog && typedInto(screen, 'guidance', dialog.guidance, event)
    if (!editor) return false
    changeTop(screen, 'correct', now => ({ ...now, guidance: editor, message: null }))
    return true
  },
}

export const preview: Behaviour = {
  handlers: {
    ...moves((screen, steps) => {
      const dialog = topDialog(screen, 'correct')
      if (!dialog) return
      const { width, height } = pageInside(screen.store.ui().size)
      const count = previewRows(plainProps(screen), dialog, width - 2).length
      changeTop(screen, 'correct', now => ({ ...now, top: scrollBy(now.top, steps, { count, height }) }))
    }),
    confirm: screen => void confirm(screen),
    back: screen => changeTop(screen, 'correct', now => ({ ...now, step: 'choose', message: null })),
  } satisfies Handlers<'preview'>,
  // A preview is read before it is confirmed: what was typed ahead of it does not count.
  isGuarded: true,
}

/** A recorded alternative needs no words: its id is the guidance. */
function afterChoice(dialog: CorrectDialog, decision: DecisionView | null): CorrectDialog {
  const row = chooseRows(decision)[dialog.cursor]
  if (!row) return dialog
  if (row.kind === 'append') return { ...dialog, message: row.whyNot }
  if (row.kind === 'words')
    return { ...dialog, step: 'guidance', guidance: createEditor('many'), message: null }
  return { ...dialog, step: 'preview', guidance: createEditor('many', row.option.id), top: 0, message: null }
}

function decisionFor(screen: Screen, dialog: CorrectDialog): DecisionView | null {
  return decisionOf(screen.store.model, dialog)
}

/** Bound to the digest of what was shown: if anything moved since, the backend refuses and the new preview is shown. */
async function confirm(screen: Screen): Promise<void> {
  const dialog = topDialog(screen, 'correct')
  const key = dialog && previewKey(dialog)
  const shown = key ? screen.store.shelves.previews.peek(key) : undefined
  if (!dialog || shown?.kind !== 'ready' || dialog.sending === 'sending') return
  if (shown.value.impact.tier === 'none') return
  changeTop(screen, 'correct', now => ({ ...now, sending: 'sending', message: null }))
  changeUi(screen, ui => ({ ...ui, correcting: correctingOf(ui, dialog) }))
  const result = await screen.store.call('_cleveragents/plan/correct', {
    plan_id: dialog.planId,
    decision_id: dialog.decisionId,
    mode: 'revert',
    guidance: dialog.guidance.text.trim(),
    digest: shown.value.impact.digest,
  })
  if (result.ok) {
    changeUi(screen, popDialog)
    tell(screen, 'The decision is taken again.')
    return
  }
  changeUi(screen, ui => ({ ...ui, correcting: null }))
  screen.store.shelves.previews.expire(each => each === key)
  const { message } = result.failure
  changeTop(screen, 'correct', now => ({ ...now, sending: 'no', top: 0, message }))
}

/** Its events may come before the answer to the call. */
function correctingOf(ui: Ui<Dialog>, { decisionId }: CorrectDialog): Correcting | null {
  const { selectedPlanId } = ui
  return selectedPlanId === null ? null : { planId: selectedPlanId, decisionId, heirId: decisionId }
}
