import type { InputEvent, KeyEvent } from './input-event.ts'

/*
 * Decides when a key press at a gate card counts as an answer. Approvals given by accident (typing into a card
 * that just opened, pastes, held keys) are the failure this exists for, so in doubt a key means nothing.
 */

const visibleMs = 600
const quietMs = 250
const confirmMs = 60
// A held key repeats faster than anyone presses it twice.
const repeatMs = 120

export type GateAnswer =
  | { kind: 'approve' }
  | { kind: 'option'; number: number }
  | { kind: 'reject' }
  | { kind: 'requestChanges' }

export type ApprovalGuard = {
  /** What is being answered; another digest is another question and starts over. */
  digest: string
  optionCount: number
  /** For destructive acts this word is typed instead of `a`. */
  word: string | undefined
  shownAt: number | undefined
  hasShownEnd: boolean
  lastInputAt: number
  lastKeyName: string
  pending: Pending | undefined
}

type Pending = { answer: GateAnswer; typed: string; at: number; chunk: number }

export type GuardStatus =
  | { kind: 'unseen' }
  | { kind: 'settling'; armedAt: number }
  | { kind: 'armed' }
  | { kind: 'typing'; typed: string }
  | { kind: 'chosen'; answer: GateAnswer }

export type GuardResult = {
  guard: ApprovalGuard
  /** `ignored` events were none of the guard's business and may scroll, close or open something. */
  outcome:
    | { kind: 'ignored' }
    | { kind: 'swallowed' }
    | { kind: 'chosen' }
    | { kind: 'answered'; answer: GateAnswer }
}

export function startGuard(question: {
  digest: string
  optionCount: number
  word?: string | undefined
  at: number
}): ApprovalGuard {
  return {
    digest: question.digest,
    optionCount: question.optionCount,
    word: question.word,
    shownAt: undefined,
    hasShownEnd: false,
    lastInputAt: question.at,
    lastKeyName: '',
    pending: undefined,
  }
}

/** Told after a frame that shows the card reached the terminal. */
export function guardShown(
  guard: ApprovalGuard,
  frame: { at: number; isEndVisible: boolean },
): ApprovalGuard {
  return {
    ...guard,
    shownAt: guard.shownAt ?? frame.at,
    hasShownEnd: guard.hasShownEnd || frame.isEndVisible,
  }
}

/** More came to the card after it was drawn, e.g. a list that was still being fetched: its end is to be shown anew. */
export function guardGrown(guard: ApprovalGuard): ApprovalGuard {
  return { ...guardHidden(guard), hasShownEnd: false }
}

/** The card was covered, closed or the screen suspended: being visible starts anew. */
export function guardHidden(guard: ApprovalGuard): ApprovalGuard {
  return { ...guard, shownAt: undefined, pending: undefined }
}

export function guardStatus(guard: ApprovalGuard, now: number): GuardStatus {
  if (guard.pending) {
    const { answer, typed } = guard.pending
    return isWordUnfinished(guard) ? { kind: 'typing', typed } : { kind: 'chosen', answer }
  }
  if (guard.shownAt === undefined || !guard.hasShownEnd) return { kind: 'unseen' }
  const armedAt = Math.max(guard.shownAt + visibleMs, guard.lastInputAt + quietMs)
  return now >= armedAt ? { kind: 'armed' } : { kind: 'settling', armedAt }
}

export function guardInput(guard: ApprovalGuard, event: InputEvent): GuardResult {
  if (event.type === 'mouse' || event.type === 'reply') return { guard, outcome: { kind: 'ignored' } }
  if (event.type === 'focus') return { guard: disturbed(guard, event.at), outcome: { kind: 'ignored' } }
  if (event.type === 'paste') return { guard: disturbed(guard, event.at), outcome: { kind: 'swallowed' } }
  if (event.phase === 'release') return { guard, outcome: { kind: 'swallowed' } }
  const { outcome, pending } = judge(guard, event)
  const lastInputAt = Math.max(guard.lastInputAt, event.at)
  return { guard: { ...guard, pending, lastInputAt, lastKeyName: event.name }, outcome }
}

type Verdict = { outcome: GuardResult['outcome']; pending: Pending | undefined }

const swallowed: Verdict = { outcome: { kind: 'swallowed' }, pending: undefined }
const ignored: Verdict = { outcome: { kind: 'ignored' }, pending: undefined }

function judge(guard: ApprovalGuard, event: KeyEvent): Verdict {
  const isDeliberate = event.of === 1 && event.phase === 'press' && !isHeld(guard, event)
  if (guard.pending) return isDeliberate ? afterChoice(guard, guard.pending, event) : swallowed
  const answer = answerOf(guard, event)
  if (answer === undefined) return isEnter(event) ? swallowed : ignored
  const isArmed = guardStatus(guard, event.at).kind === 'armed'
  if (!isDeliberate || !isArmed) return swallowed
  // Asking for changes only opens a text field, which is sent off by itself.
  if (answer.kind === 'requestChanges') return { outcome: { kind: 'answered', answer }, pending: undefined }
  return {
    outcome: { kind: 'chosen' },
    pending: { answer, typed: event.text, at: event.at, chunk: event.chunk },
  }
}

function afterChoice(guard: ApprovalGuard, pending: Pending, event: KeyEvent): Verdict {
  if (isEnter(event)) return confirm(guard, pending, event)
  if (guard.word !== undefined && pending.answer.kind === 'approve')
    return typeOn(guard, guard.word, pending, event)
  return answerOf(guard, event) === undefined ? ignored : swallowed
}

function confirm(guard: ApprovalGuard, pending: Pending, event: KeyEvent): Verdict {
  const isLater = event.chunk !== pending.chunk && event.at - pending.at >= confirmMs
  if (!isLater || isWordUnfinished(guard)) return swallowed
  return { outcome: { kind: 'answered', answer: pending.answer }, pending: undefined }
}

function typeOn(guard: ApprovalGuard, word: string, pending: Pending, event: KeyEvent): Verdict {
  const isPlain = event.text !== '' && !event.ctrl && !event.alt
  if (!isPlain) return answerOf(guard, event) === undefined ? ignored : swallowed
  const typed = pending.typed + event.text
  if (!word.startsWith(typed)) return swallowed
  return { outcome: { kind: 'chosen' }, pending: { ...pending, typed, at: event.at, chunk: event.chunk } }
}

function answerOf(guard: ApprovalGuard, event: KeyEvent): GateAnswer | undefined {
  if (event.ctrl || event.alt || event.text === '') return undefined
  if (event.text === approveKey(guard)) return { kind: 'approve' }
  if (event.text === 'x') return { kind: 'reject' }
  if (event.text === 'r') return { kind: 'requestChanges' }
  const number = /^[1-9]$/.test(event.text) ? Number(event.text) : 0
  return number >= 1 && number <= guard.optionCount ? { kind: 'option', number } : undefined
}

function approveKey(guard: ApprovalGuard): string {
  return guard.word === undefined ? 'a' : (guard.word[0] ?? 'a')
}

function isWordUnfinished(guard: ApprovalGuard): boolean {
  return (
    guard.word !== undefined && guard.pending?.answer.kind === 'approve' && guard.pending.typed !== guard.word
  )
}

function isHeld(guard: ApprovalGuard, event: KeyEvent): boolean {
  return event.name === guard.lastKeyName && event.at - guard.lastInputAt < repeatMs
}

function isEnter(event: KeyEvent): boolean {
  return event.name === 'enter'
}

function disturbed(guard: ApprovalGuard, at: number): ApprovalGuard {
  return { ...guard, pending: undefined, lastInputAt: Math.max(guard.lastInputAt, at) }
}
