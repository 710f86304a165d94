import type { DecisionView } from '../../src/a2a/protocol/views/decision.ts'
import type { Correcting } from '../../stores/follow-correction.ts'
import { rootDecision } from '../../stores/plan-tree.ts'
import { selectedNode, selectedTree } from '../../stores/selectors.ts'
import { popDialog, type Ui } from '../../stores/ui.ts'
import type { CorrectDialog, Dialog } from '../dialogs.ts'
import { createEditor } from '../parts/editor-model.ts'
import { changeTop, changeUi, push, type Screen, situationOf, tell, topDialog } from '../screen.ts'
import { moveBy } from '../scroll.ts'
import type { InputEvent } from '../terminal/input-event.ts'
import {
  appendableActions,
  type Choice,
  choicesFor,
  guidanceOf,
  planToAppendTo,
} from '../views/correct/choices.ts'
import { previewKey } from '../views/correct/preview.ts'
import { openCompare } from './compare.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { digestToConfirm, moveInPreview } from './preview.ts'
import { moves } from './scroll-page.ts'
import { editElsewhere, typedInto } from './text-input.ts'

export function openCorrect(screen: Screen): void {
  const decision = decisionNow(screen)
  if (!decision) return
  const { model } = situationOf(screen)
  const choices = choicesFor(model, { decisionId: decision.decision_id })
  // What was foreseen at an earlier look may no longer hold.
  screen.store.shelves.previews.clear()
  push(screen, {
    kind: 'correct',
    planId: decision.plan_id,
    decisionId: decision.decision_id,
    step: 'choose',
    mode: 'revert',
    cursor: Math.max(
      0,
      choices.findIndex(choice => choice.whyNot === null),
    ),
    optionId: null,
    actionName: null,
    guidance: createEditor('many'),
    at: null,
    sending: 'no',
    message: null,
  })
}

const chooseHandlers: Handlers<'correct'> = {
  ...moves((screen, steps) =>
    changeTop(screen, 'correct', now => ({
      ...now,
      cursor: moveBy(now.cursor, steps, choicesOf(screen, now).length),
      message: null,
    })),
  ),
  next: screen => changeTop(screen, 'correct', now => chosen(now, choicesOf(screen, now)[now.cursor])),
  choose(screen, event) {
    const cursor = Number(event.name) - 1
    changeTop(screen, 'correct', now => {
      const choice = choicesOf(screen, now)[cursor]
      return choice ? chosen({ ...now, cursor }, choice) : now
    })
  },
  compare: openCompare,
  back: screen => changeUi(screen, popDialog),
}

export const correct: Behaviour = { handlers: chooseHandlers }

const writeHandlers: Handlers<'guidance'> = {
  send: screen =>
    changeTop(screen, 'correct', now =>
      now.guidance.text.trim() === ''
        ? { ...now, message: emptyWords[now.mode] }
        : { ...now, step: 'preview', at: null, message: null },
    ),
  ownEditor: screen =>
    void editElsewhere(screen, topDialog(screen, 'correct')?.guidance, guidance =>
      changeTop(screen, 'correct', now => ({ ...now, guidance, message: null })),
    ),
  back: screen => changeTop(screen, 'correct', now => ({ ...now, step: 'choose', message: null })),
}

export const correctGuidance: Behaviour = {
  handlers: writeHandlers,
  intercept: (screen, event) => takesText(screen, 'guidance', event),
}

export const append: Behaviour = {
  handlers: {
    ...writeHandlers,
    nextAction: screen => changeAction(screen, 1),
    previousAction: screen => changeAction(screen, -1),
  } satisfies Handlers<'append'>,
  intercept: (screen, event) => takesText(screen, 'append', event),
}

function takesText(screen: Screen, place: 'guidance' | 'append', event: InputEvent): boolean {
  const dialog = topDialog(screen, 'correct')
  const editor = dialog && typedInto(screen, place, dialog.guidance, event)
  if (!editor) return false
  changeTop(screen, 'correct', now => ({ ...now, guidance: editor, message: null }))
  return true
}

/** Through the plan's own action and all others, in a circle. */
function changeAction(screen: Screen, steps: 1 | -1): void {
  const { store } = screen
  changeTop(screen, 'correct', now => {
    const names = appendableActions(store.model, store.shelves, now).map(({ actionName }) => actionName)
    const at = names.indexOf(now.actionName) + steps + names.length
    return { ...now, actionName: names[at % names.length] ?? null, message: null }
  })
}

const emptyWords = {
  revert: 'Write what should be different.',
  append: 'Write what is to be added.',
} as const

export const preview: Behaviour = {
  handlers: {
    ...moves(moveInPreview),
    confirm: screen => void confirm(screen),
    back: screen =>
      changeTop(screen, 'correct', now => ({
        ...now,
        step: now.optionId === null ? 'guidance' : 'choose',
        message: null,
      })),
  } satisfies Handlers<'preview'>,
  // A preview is read before it is confirmed: what was typed ahead of it does not count.
  isGuarded: true,
}

/** In the tree the selected decision, in the list of plans the first decision of the plan. */
function decisionNow(screen: Screen): DecisionView | null {
  const { model, ui } = situationOf(screen)
  const planTree = selectedTree(model, ui)
  if (ui.focus === 'plans') return planTree && rootDecision(planTree)
  const selected = selectedNode(model, ui)
  return selected.kind === 'shown' && selected.node.item.kind === 'decision'
    ? selected.node.item.decision
    : null
}

/** A recorded alternative needs no words: its id is the guidance. */
function chosen(dialog: CorrectDialog, choice: Choice | undefined): CorrectDialog {
  if (!choice) return dialog
  if (choice.whyNot !== null) return { ...dialog, message: choice.whyNot }
  const next = { ...dialog, at: null, message: null }
  if (choice.kind === 'alternative')
    return { ...next, mode: 'revert', optionId: choice.option.id, step: 'preview' }
  return { ...next, mode: choice.kind === 'append' ? 'append' : 'revert', optionId: null, step: 'guidance' }
}

function choicesOf(screen: Screen, dialog: CorrectDialog): Choice[] {
  return choicesFor(screen.store.model, dialog)
}

/** Where a correction goes: a decision, or for work on top the plan that has the result. */
export function correctionOf(screen: Screen, dialog: CorrectDialog) {
  const { planId, decisionId, mode } = dialog
  const guidance = guidanceOf(dialog)
  if (mode === 'revert') return { plan_id: planId, decision_id: decisionId, mode, guidance }
  const plan = screen.store.model.plans.byId.get(planId)
  const plan_id = plan ? planToAppendTo(screen.store.model, plan).plan_id : planId
  const { actionName: action } = dialog
  return { plan_id, mode, guidance, ...(action === null ? {} : { action }) }
}

/** Bound to the digest of what was shown: if anything moved since, the backend refuses and the new preview is shown. */
async function confirm(screen: Screen): Promise<void> {
  const dialog = topDialog(screen, 'correct')
  const digest = dialog && digestToConfirm(screen, dialog)
  if (!dialog || digest === null) return
  changeTop(screen, 'correct', now => ({ ...now, sending: 'sending', message: null }))
  if (dialog.mode === 'revert') changeUi(screen, ui => ({ ...ui, correcting: correctingOf(ui, dialog) }))
  const result = await screen.store.call('_cleveragents/plan/correct', {
    ...correctionOf(screen, dialog),
    digest,
  })
  if (result.ok) {
    changeUi(screen, popDialog)
    tell(screen, dialog.mode === 'revert' ? 'The decision is taken again.' : 'A child plan does it on top.')
    return
  }
  changeUi(screen, ui => ({ ...ui, correcting: null }))
  screen.store.shelves.previews.renew(previewKey(dialog))
  const { message, errorType } = result.failure
  changeTop(screen, 'correct', now => ({
    ...now,
    sending: 'no',
    at: null,
    message: errorType === 'stale_answer' ? `${message} This is how it is now:` : message,
  }))
}

/** Its events may come before the answer to the call. */
function correctingOf(ui: Ui<Dialog>, { decisionId }: CorrectDialog): Correcting | null {
  const { selectedPlanId } = ui
  return selectedPlanId === null ? null : { planId: selectedPlanId, decisionId, heirId: decisionId }
}
