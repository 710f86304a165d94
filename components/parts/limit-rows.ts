import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { cellWidth } from '../../src/text/cells.ts'
import type { TextToken } from '../../themes/tokens.ts'
import { type Look, wrapped } from '../look.ts'
import { durationWord, moneyWord, tokenWord } from '../words.ts'
import type { Segment } from './format-line.ts'

type Budget = PlanView['budget']

/** Shares of a limit: 1 is all of it. */
export interface Use {
  readonly used: number
  readonly reserved: number
}

interface Meter {
  readonly name: string
  readonly words: string
  readonly use: Use | null
  readonly about: string
}

/** How much of its budget and limits a plan has used, with the plans below it; nothing where nothing limits it. */
export function limitRows(look: Look, plan: PlanView, width: number): Segment[][] {
  const meters = metersOf(plan)
  const wordsWidth = Math.max(0, ...meters.map(({ words }) => cellWidth(words)))
  const { exceeded, required_confirmations: confirmed } = plan.limits
  return [
    ...meters.flatMap(meter => meterRows(look, meter, { width, wordsWidth })),
    ...(confirmed.length > 0 ? wrapped(`asks each time before ${confirmed.join(', ')}`, width, 'text') : []),
    ...(exceeded ? wrapped(exceeded.reason, width, 'danger') : []),
  ]
}

export function budgetWord({ spent, limit }: Pick<Budget, 'spent' | 'limit'>): string {
  return limit === null ? moneyWord(spent) : `${moneyWord(spent)} of ${moneyWord(limit)}`
}

export function budgetUse({ spent, reserved, limit }: Budget): Use | null {
  return limit === null ? null : { used: share(spent, limit), reserved: share(reserved, limit) }
}

/** Nothing while there is enough: it is the end of a limit that a person must not miss. */
export function toneOfUse(use: Use | null): TextToken | undefined {
  if (use === null) return undefined
  const taken = use.used + use.reserved
  if (taken >= 1) return 'danger'
  return taken >= 0.8 ? 'warning' : undefined
}

/** Used, reserved and left, told apart by their signs. */
export function barSegments(look: Look, use: Use, cells: number): Segment[] {
  const { bar, barReserved, barEmpty } = look.glyphs
  // The first sign of use is seen, and a bar is only full where nothing is left.
  const filled = (part: number) => {
    const whole = Math.round(part * cells)
    return part > 0 && whole === 0 ? 1 : part < 1 ? Math.min(whole, cells - 1) : cells
  }
  const taken = Math.min(cells, filled(use.used + use.reserved))
  const used = Math.min(taken, filled(use.used))
  return [
    { text: bar.repeat(used), tone: toneOfUse(use) ?? 'accent' },
    { text: barReserved.repeat(taken - used), tone: 'waiting' },
    { text: barEmpty.repeat(cells - taken), tone: 'muted' },
  ]
}

function metersOf({ plan_id, budget, limits }: PlanView): Meter[] {
  const { steps, tokens, seconds } = limits
  const spanWord = (value: number) => durationWord(value * 1_000)
  const simple = (of: { max: number | null; source: string | null }, word: string): Meter[] =>
    of.max === null ? [] : [{ name: word, words: String(of.max), use: null, about: fromWord(of.source) }]
  return [
    ...(budget.limit === null
      ? []
      : [
          {
            name: 'budget',
            words: budgetWord(budget),
            use: budgetUse(budget),
            about: [
              budget.reserved > 0 ? `${moneyWord(budget.reserved)} reserved for calls under way` : '',
              budget.assumed > 0 ? `${moneyWord(budget.assumed)} of it assumed: the price is unknown` : '',
              budget.of !== null && budget.of !== plan_id
                ? 'what a plan above it has left'
                : fromWord(budget.source),
            ]
              .filter(text => text !== '')
              .join('; '),
          },
        ]),
    ...(tokens.max === null
      ? []
      : [
          {
            name: 'tokens',
            words: `${tokenWord(tokens.used)} of ${tokenWord(tokens.max)}`,
            use: { used: share(tokens.used, tokens.max), reserved: share(tokens.reserved, tokens.max) },
            about: fromWord(tokens.source),
          },
        ]),
    ...(steps.max === null
      ? []
      : [
          {
            name: 'steps',
            words: `${steps.used} of ${steps.max}`,
            use: { used: share(steps.used, steps.max), reserved: 0 },
            about: fromWord(steps.source),
          },
        ]),
    ...(seconds.max === null
      ? []
      : [
          {
            name: 'time',
            words: `${spanWord(seconds.used)} of ${spanWord(seconds.max)}`,
            use: { used: share(seconds.used, seconds.max), reserved: 0 },
            about: fromWord(seconds.source),
          },
        ]),
    ...simple(limits.tool_calls_per_invocation, 'calls of a turn'),
    ...simple(limits.retries_per_failure, 'retries'),
  ]
}

function meterRows(
  look: Look,
  { name, words, use, about }: Meter,
  { width, wordsWidth }: { width: number; wordsWidth: number },
): Segment[][] {
  const label = `${name.padEnd(9)} `
  const room = Math.min(24, width - label.length - wordsWidth - 2)
  return [
    [
      { text: label, tone: 'muted' },
      { text: words.padEnd(wordsWidth), tone: toneOfUse(use) ?? 'text' },
      ...(use && room >= 4 ? [{ text: '  ' }, ...barSegments(look, use, room)] : []),
    ],
    ...(about === '' ? [] : wrapped(about, width, 'muted', label.length)),
  ]
}

/** Who set it. */
function fromWord(source: string | null): string {
  if (source === null) return ''
  if (source === 'parent') return 'from the plan above it'
  return source === 'person' ? 'set by a person' : `from the ${source}`
}

function share(used: number, max: number): number {
  return max <= 0 ? 1 : used / max
}
