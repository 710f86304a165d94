import type { ChangeCountsView } from '../../a2a/protocol/views/changes.ts'
import type { PlanView } from '../../a2a/protocol/views/plan.ts'
import type { Meaning, Paper } from './paper.ts'

/** The last characters of an id: its first ones are only time. Long enough to be typed back. */
export function shortId(id: string): string {
  return id.slice(-6)
}

/** Enough of a digest to bind an answer to what was shown. */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12)
}

export function scoreText(score: number | null): string {
  return score === null ? '' : score.toFixed(2).replace(/^0/, '')
}

export function changesText(changes: ChangeCountsView | null, paper: Paper): string {
  if (!changes || changes.files === 0) return ''
  const added = paper.paint('added', `+${changes.additions}`)
  const removed = paper.paint('removed', `-${changes.deletions}`)
  return `${added} ${removed} in ${counted(changes.files, 'file')}`
}

/** For places where a line end would pass for the start of something of ours. */
export function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A word as a shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./#-]+$/.test(text) && !text.startsWith('#') ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const meaningOfState: Readonly<Record<PlanView['state'], Meaning>> = {
  queued: 'muted',
  running: 'strong',
  complete: 'strong',
  awaiting_input: 'waits',
  paused: 'waits',
  constrained: 'waits',
  errored: 'bad',
  cancelled: 'muted',
  applied: 'good',
}

export function stateMark(state: PlanView['state'], { marks, paint }: Paper): string {
  const meaning = meaningOfState[state]
  if (meaning === 'waits') return paint(meaning, marks.waits)
  if (state === 'errored') return paint(meaning, marks.failed)
  if (state === 'cancelled') return paint(meaning, marks.superseded)
  return paint(meaning, state === 'applied' ? marks.done : marks.running)
}
