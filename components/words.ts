/** How facts are said in a few cells. */
import type { ChangeCountsView } from '../src/a2a/protocol/views/changes.ts'
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import { cellWidth, cutToWidth } from '../src/text/cells.ts'
import { sanitize } from '../src/text/sanitize.ts'
import type { Mark } from '../stores/marks.ts'
import type { TreeItem } from '../stores/plan-tree.ts'
import { isHandedOver } from '../stores/plans.ts'
import type { Glyphs } from '../themes/glyphs.ts'
import type { TextToken } from '../themes/tokens.ts'
import type { Segment } from './parts/format-line.ts'

const typeWords: Readonly<Record<string, string>> = {
  prompt_definition: 'goal',
  invariant_enforced: 'invariant',
  strategy_choice: 'strategy',
  resource_selection: 'resource',
  subplan_spawn: 'child',
  subplan_parallel_spawn: 'children',
  implementation_choice: 'impl',
  tool_invocation: 'tool',
  error_recovery: 'recovery',
  validation_response: 'validate',
  user_intervention: 'you said',
}

export function typeWord(type: string): string {
  return typeWords[type] ?? type
}

/** `.54`, `1.0`: as short as a column of them wants it. */
export function scoreWord(score: number): string {
  return score >= 0.995 ? '1.0' : score.toFixed(2).slice(1)
}

export function countsText({
  additions,
  deletions,
}: Pick<ChangeCountsView, 'additions' | 'deletions'>): string {
  return `+${additions} -${deletions}`
}

export function countsSegments(changes: Pick<ChangeCountsView, 'additions' | 'deletions'>): Segment[] {
  return [
    { text: `+${changes.additions}`, tone: 'added' },
    { text: ` -${changes.deletions}`, tone: 'removed' },
  ]
}

export function countWord(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** A row of the tree in the fewest words. */
export function itemName(item: TreeItem): string {
  switch (item.kind) {
    case 'decision':
      return item.decision.chosen_option.label
    case 'gate':
      return item.gate.question
    case 'plan':
      return nameBelow(item.plan.name)
  }
}

/** A child is named after its parent: beside it, its own part is enough. */
export function nameBelow(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The way from the root plan to the one that asks, in at most this many cells: the ends say more than what is between. */
export function pathWord(path: readonly string[], width: number, ellipsis: string): string {
  const [root = '', ...below] = path.map(oneLine)
  const names = [root.replace(/^local\//, ''), ...below.map(nameBelow)]
  const whole = names.join(' > ')
  if (cellWidth(whole) <= width || names.length === 1) return cutToWidth(whole, width, ellipsis)
  const last = names.at(-1) ?? ''
  const head = cutToWidth(names.slice(0, -1).join(' > '), Math.max(4, Math.floor(width / 3)), ellipsis)
  return `${head} > ${cutToWidth(last, Math.max(4, width - cellWidth(head) - 3), ellipsis)}`
}

/** Where a plan stands, in one word of capitals. */
export function stateWord(plan: Pick<PlanView, 'phase' | 'state'>): string {
  if (isHandedOver(plan)) return 'DONE'
  switch (plan.state) {
    case 'applied':
      return 'APPLIED'
    case 'cancelled':
      return 'CANCELLED'
    case 'errored':
      return 'FAILED'
    case 'paused':
      return 'PAUSED'
    case 'constrained':
      return 'CONFLICT'
    default:
      return plan.phase.toUpperCase()
  }
}

const stateSentences: Readonly<Record<PlanView['state'], string>> = {
  queued: 'about to run',
  running: 'running',
  awaiting_input: 'waits for an answer',
  paused: 'paused',
  complete: 'finished this phase',
  errored: 'failed',
  constrained: 'could not be applied',
  cancelled: 'cancelled',
  applied: 'applied',
}

export function stateSentence(plan: PlanView): string {
  if (isHandedOver(plan)) return 'Done: its changes are in the plan above, and are applied with it'
  return `${capitalised(plan.phase)}: ${stateSentences[plan.state]}`
}

export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** What keeps a plan's commands from the rest of the machine. */
export function confinementWord(confinement: 'bubblewrap' | 'none'): string {
  return confinement === 'none' ? 'not confined' : `confined by ${confinement}`
}

export function moneyWord(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`
}

/** What it cost and how much models read and wrote for it; null where both are nothing. */
export function costWord({ usd, tokens }: { usd: number | null; tokens: number }): string | null {
  const words = [
    ...(usd === null ? ['price unknown'] : usd > 0 ? [moneyWord(usd)] : []),
    ...(tokens > 0 ? [`${tokenWord(tokens)} tokens`] : []),
  ]
  return words.length === 0 ? null : words.join(', ')
}

/** `950`, `12.3k`, `1.2M`. */
export function tokenWord(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  const [amount, unit] = tokens < 999_950 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M']
  return `${amount.toFixed(1).replace(/\.0$/, '')}${unit}`
}

/** A ULID begins with its time, so lists show its end, which also finds it again. */
export function shortId(id: string): string {
  return sanitize(id.slice(-6))
}

export function timeWord(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return '--:--:--'
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => String(part).padStart(2, '0'))
    .join(':')
}

export function durationWord(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60
    ? `${minutes}m${Math.floor((ms % 60_000) / 1_000)}s`
    : `${Math.floor(minutes / 60)}h${minutes % 60}m`
}

/** The spinner's picture is the caller's: it says when it moves. */
export function markGlyph(glyphs: Glyphs, mark: Exclude<Mark, 'running'>): string {
  return mark === 'paused' ? glyphs.bullet : glyphs[mark]
}

export const markTones: Readonly<Record<Mark, TextToken>> = {
  toCome: 'muted',
  paused: 'muted',
  running: 'running',
  done: 'success',
  waits: 'waiting',
  failed: 'danger',
  superseded: 'superseded',
  correction: 'correction',
  child: 'child',
  rolledBack: 'superseded',
}

/** Text of several lines where only one fits. */
export function oneLine(text: string): string {
  return text.includes('\n') ? text.replace(/\s*\n\s*/g, ' ') : text
}
