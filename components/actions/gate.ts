import type { CallResult } from '../../src/a2a/client/rpc-failure.ts'
import type { GateView } from '../../src/a2a/protocol/views/gate.ts'
import { inbox, replaceGates } from '../../stores/gates.ts'
import { picksByFile } from '../../stores/picks.ts'
import { popDialog } from '../../stores/ui.ts'
import type { DiffSource } from '../dialogs.ts'
import { pageInside } from '../layout.ts'
import { createEditor } from '../parts/editor-model.ts'
import { cardRows } from '../parts/gate-card.ts'
import { plainProps } from '../plain-props.ts'
import { changeTop, changeUi, push, type Screen, tell, topDialog } from '../screen.ts'
import { moveBy, scrollBy } from '../scroll.ts'
import { type GateAnswer, guardInput } from '../terminal/approval-guard.ts'
import { watchCard } from './card-guard.ts'
import { showDiff } from './diff.ts'
import { editStrategy } from './edit-strategy.ts'
import type { Behaviour, Handlers } from './handler.ts'
import { leaveCard } from './leave-card.ts'
import { moves } from './scroll-page.ts'
import { editElsewhere, typedInto } from './text-input.ts'

export function openInbox(screen: Screen): void {
  push(screen, { kind: 'gates', gateId: inbox(screen.store.model.gates)[0]?.gate_id ?? null })
}

export function openGate(screen: Screen, gateId: string): void {
  push(screen, { kind: 'gate', gateId, top: 0, guidance: null, draft: '', sending: 'no', message: null })
}

const inboxHandlers: Handlers<'gates'> = {
  ...moves(moveInInbox),
  open(screen) {
    const gateId = topDialog(screen, 'gates')?.gateId
    if (gateId && screen.store.model.gates.open.has(gateId)) openGate(screen, gateId)
  },
  back: screen => changeUi(screen, popDialog),
}

export const gates: Behaviour = { handlers: inboxHandlers }

/** Answers come from the guard alone: a key that only its row matches was not meant as an answer. */
const notAnAnswer = () => {}

const cardHandlers: Handlers<'gate'> = {
  approve: notAnAnswer,
  option: notAnAnswer,
  requestChanges: notAnAnswer,
  reject: notAnAnswer,
  diff(screen) {
    const gate = cardGate(screen)
    if (gate) showDiff(screen, sourceOf(gate))
  },
  ownEditor(screen) {
    const gate = cardGate(screen)
    if (gate) void editStrategy(screen, gate)
  },
  ...moves(scrollCard),
  back: screen => changeUi(screen, popDialog),
}

export const gate: Behaviour = {
  handlers: cardHandlers,
  isGuarded: true,
  intercept(screen, event) {
    const { card } = screen
    if (!card || topDialog(screen, 'gate')?.sending === 'sending') return event.type === 'paste'
    const { guard, outcome } = guardInput(card.guard, event)
    screen.card = { ...card, guard }
    watchCard(screen)
    if (outcome.kind === 'answered') answer(screen, outcome.answer)
    return outcome.kind !== 'ignored'
  },
}

const guidanceHandlers: Handlers<'guidance'> = {
  send(screen) {
    const dialog = topDialog(screen, 'gate')
    const gateNow = cardGate(screen)
    const text = dialog?.guidance?.text.trim() ?? ''
    if (!gateNow) return
    if (text === '')
      changeTop(screen, 'gate', now => ({ ...now, message: 'Write what should be different.' }))
    else void send(screen, gateNow, { kind: 'changes', guidance: text })
  },
  ownEditor: screen =>
    void editElsewhere(screen, topDialog(screen, 'gate')?.guidance, guidance =>
      changeTop(screen, 'gate', now => ({ ...now, guidance, message: null })),
    ),
  back: screen =>
    changeTop(screen, 'gate', now => ({
      ...now,
      guidance: null,
      draft: now.guidance?.text ?? '',
      message: null,
    })),
}

export const guidance: Behaviour = {
  handlers: guidanceHandlers,
  intercept(screen, event) {
    const dialog = topDialog(screen, 'gate')
    const editor = dialog?.guidance && typedInto(screen, 'guidance', dialog.guidance, event)
    if (!editor) return false
    changeTop(screen, 'gate', now => ({ ...now, guidance: editor, message: null }))
    return true
  },
}

function sourceOf(gateNow: GateView): DiffSource {
  return {
    planId: gateNow.plan_id,
    decisionId: null,
    correctionId: null,
    against: null,
    title: gateNow.plan_name,
  }
}

type Sent =
  | { readonly kind: 'approve'; readonly optionId: string | null }
  | { readonly kind: 'reject'; readonly note: string | null }
  | { readonly kind: 'changes'; readonly guidance: string }

function answer(screen: Screen, given: GateAnswer): void {
  const gateNow = cardGate(screen)
  if (!gateNow) return
  switch (given.kind) {
    case 'approve':
      void send(screen, gateNow, { kind: 'approve', optionId: null })
      return
    case 'reject':
      void send(screen, gateNow, { kind: 'reject', note: null })
      return
    case 'option': {
      const option = gateNow.options[given.number - 1]
      if (!option) return
      void send(
        screen,
        gateNow,
        option.effect === 'approve'
          ? { kind: 'approve', optionId: option.id }
          : { kind: 'reject', note: option.label },
      )
      return
    }
    case 'requestChanges':
      changeTop(screen, 'gate', now =>
        gateNow?.takes_changes === false
          ? { ...now, message: 'This question takes approve or reject, not changes.' }
          : { ...now, guidance: createEditor('many', now.draft), message: null },
      )
  }
}

/** The answer names the gate and the digest of what was shown; anything else is refused as stale. */
async function send(screen: Screen, gateNow: GateView, sent: Sent): Promise<void> {
  const shown = screen.card
  if (shown?.gateId !== gateNow.gate_id) return
  const bound = { plan_id: gateNow.plan_id, gate_id: gateNow.gate_id, digest: shown.guard.digest }
  changeTop(screen, 'gate', now => ({ ...now, sending: 'sending', message: null }))
  const result = await callFor(screen, bound, sent, gateNow.confirm_word)
  if (result.ok) {
    changeUi(screen, ui => leaveCard(screen.store.model, ui, gateNow))
    tell(screen, `${doneWords[sent.kind]}: ${gateNow.question}`)
    return
  }
  const { message } = result.failure
  changeTop(screen, 'gate', now => ({ ...now, sending: 'no', message }))
  await refresh(screen)
}

function callFor(
  screen: Screen,
  bound: { plan_id: string; gate_id: string; digest: string },
  sent: Sent,
  confirmWord: string | null,
): Promise<CallResult<unknown>> {
  const { store } = screen
  switch (sent.kind) {
    case 'approve':
      return store.call('_cleveragents/plan/approve', {
        ...bound,
        ...(sent.optionId === null ? {} : { option_id: sent.optionId }),
        // The card sends an approval only once the word was typed.
        ...(confirmWord === null ? {} : { confirm_word: confirmWord }),
        ...partFor(screen, bound.gate_id),
      })
    case 'reject':
      return store.call('_cleveragents/plan/reject', {
        ...bound,
        ...(sent.note === null ? {} : { note: sent.note }),
      })
    case 'changes':
      return store.call('_cleveragents/plan/request-changes', { ...bound, guidance: sent.guidance })
  }
}

/** What was chosen of exactly the changes that the gate is about; without a choice all of them are applied. */
function partFor({ store }: Screen, gateId: string) {
  const gateNow = store.model.gates.open.get(gateId)
  const picks = gateNow && store.ui().picks[gateNow.plan_id]
  if (!picks || picks.units.length === 0 || picks.digest !== gateNow.subject['changes_digest']) return {}
  return { picks: picksByFile(picks) }
}

const doneWords = { approve: 'Approved', reject: 'Rejected', changes: 'Changes requested' } as const

/** Something may have moved under the card: what is asked now is shown, and arms anew. */
async function refresh(screen: Screen): Promise<void> {
  const result = await screen.store.call('_cleveragents/gate/list', {})
  if (result.ok) replaceGates(screen.store.model.gates, result.value.gates)
  screen.store.touch()
}

function cardGate(screen: Screen): GateView | null {
  const gateId = topDialog(screen, 'gate')?.gateId
  return screen.store.model.gates.open.get(gateId ?? '') ?? null
}

function scrollCard(screen: Screen, steps: number): void {
  const gateNow = cardGate(screen)
  if (!gateNow) return
  const { width, height } = pageInside(screen.store.ui().size)
  const count = cardRows(plainProps(screen), gateNow, width - 2).length
  changeTop(screen, 'gate', now => ({ ...now, top: scrollBy(now.top, steps, { count, height: height - 2 }) }))
}

function moveInInbox(screen: Screen, steps: number): void {
  const all = inbox(screen.store.model.gates)
  changeTop(screen, 'gates', now => {
    const at = all.findIndex(each => each.gate_id === now.gateId)
    return { ...now, gateId: all[at < 0 ? 0 : moveBy(at, steps, all.length)]?.gate_id ?? null }
  })
}
