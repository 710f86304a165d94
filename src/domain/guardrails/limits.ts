/**
 * Guardrails are the limits of one plan while it runs: how many steps, how much money, how long, and what a person must
 * confirm. Fields and boundaries: requirements 2.11. They know no store and no clock. Begin with `tighten`.
 */
import * as z from 'zod'
import type { PlanId } from '../ids.ts'
import { suggest } from '../nearest.ts'
import { toNanos, usdWords } from './budget.ts'

const count = z.number().int().nonnegative().nullable()
const amount = z.number().nonnegative().nullable()

/** Null means no limit; 0 means that not one is allowed. */
export const limitsSchema = z.object({
  maxSteps: count,
  /** US dollars, those of the plans below it included. */
  toolBudget: amount,
  /** Of models, read and written, those of the plans below it included. */
  maxTokens: count,
  /** Of running; waiting for a person does not count. */
  maxWallClockSeconds: amount,
  maxToolCallsPerInvocation: count,
  maxRetriesPerFailure: count,
  /** Names of operations, exact or with `*` at the end. */
  requiredConfirmations: z.array(z.string()).readonly(),
})
export type Limits = Readonly<z.infer<typeof limitsSchema>>
export type LimitField = keyof Limits
export type NumericLimit = Exclude<LimitField, 'requiredConfirmations'>

export const noLimits: Limits = {
  maxSteps: null,
  toolBudget: null,
  maxTokens: null,
  maxWallClockSeconds: null,
  maxToolCallsPerInvocation: null,
  maxRetriesPerFailure: null,
  requiredConfirmations: [],
}

/** Who set a limit. person: raised or lowered while the plan ran. profile: its hard cap on what a plan may cost. */
export const limitSources = ['plan', 'action', 'project', 'global', 'parent', 'person', 'profile'] as const
export type LimitSource = (typeof limitSources)[number]

export const stoppingLimits = [
  'steps',
  'budget',
  'tokens',
  'wall_clock',
  'tool_calls',
  'repeated_calls',
] as const
export type StoppingLimit = (typeof stoppingLimits)[number]

export const budgetLevels = ['plan', 'profile', 'session', 'org'] as const
export type BudgetLevel = (typeof budgetLevels)[number]

/** What stopped a plan, with the numbers behind it. */
export interface Excess {
  readonly limit: StoppingLimit
  readonly level: BudgetLevel
  /** Whose limit it is, where it is that of a plan: the plan itself, or one above it. */
  readonly planId: PlanId | null
  /** Name of that plan, of the profile, the session, or the month. */
  readonly of: string
  readonly used: number
  readonly max: number
  /** What was about to be added. */
  readonly wanted: number
  readonly source: LimitSource
  readonly reason: string
}

/** The limits of a plan as they are stored with it. */
export interface Guardrails {
  readonly limits: Limits
  readonly sources: Readonly<Partial<Record<LimitField, LimitSource>>>
  /** Why it stands still; gone as soon as it moves on. */
  readonly exceeded: Excess | null
}

export const noGuardrails: Guardrails = { limits: noLimits, sources: {}, exceeded: null }

export interface LimitWishes {
  readonly source: LimitSource
  readonly limits: Readonly<Partial<Limits>>
}

/** Field by field the tightest wins; of equal ones the first. Operations to be confirmed add up. */
export function tighten(wishes: readonly LimitWishes[]): Guardrails {
  return wishes.reduce(tightenBy, noGuardrails)
}

function tightenBy({ limits, sources, exceeded }: Guardrails, wish: LimitWishes): Guardrails {
  const next: { -readonly [Field in LimitField]: Limits[Field] } = { ...limits }
  const named: Partial<Record<LimitField, LimitSource>> = { ...sources }
  for (const field of numericLimits) {
    const wished = wish.limits[field] ?? null
    const present = limits[field]
    if (wished === null || (present !== null && present <= wished)) continue
    next[field] = wished
    named[field] = wish.source
  }
  const added = (wish.limits.requiredConfirmations ?? []).filter(
    operation => !limits.requiredConfirmations.includes(operation),
  )
  if (added.length > 0) named.requiredConfirmations ??= wish.source
  next.requiredConfirmations = [...limits.requiredConfirmations, ...added]
  return { limits: next, sources: named, exceeded }
}

const numericLimits: readonly NumericLimit[] = [
  'maxSteps',
  'toolBudget',
  'maxTokens',
  'maxWallClockSeconds',
  'maxToolCallsPerInvocation',
  'maxRetriesPerFailure',
]

/** Whether something may proceed. `max` null: nothing limits it. */
export interface LimitVerdict {
  readonly kind: 'may_proceed' | 'exceeded'
  readonly used: number
  readonly max: number | null
  readonly reason: string
}

/** `current` counts from 1: the step that is about to begin. */
export function checkSteps({ maxSteps: max }: Limits, current: number): LimitVerdict {
  return verdict(max === null || current <= max, current, max, `step ${current}`, `${max} steps`)
}

/** `used`: spent and reserved. The call that is about to begin is counted with the most that it may come to. */
export function checkTokens({ maxTokens: max }: Limits, used: number, wanted: number): LimitVerdict {
  const isWithin = max === null || used + wanted <= max
  return verdict(isWithin, used, max, `${used} tokens so far, up to ${wanted} more`, `${max} tokens`)
}

export function checkWallClock({ maxWallClockSeconds: max }: Limits, elapsedSeconds: number): LimitVerdict {
  const used = Math.round(elapsedSeconds)
  const isWithin = max === null || elapsedSeconds <= max
  return verdict(isWithin, elapsedSeconds, max, `${used} seconds of running`, `${max} seconds`)
}

/** `calls`: made so far. */
export function checkToolCalls({ maxToolCallsPerInvocation: max }: Limits, calls: number): LimitVerdict {
  return verdict(max === null || calls < max, calls, max, `${calls} tool calls so far`, `${max} in a phase`)
}

/** `retries`: made so far. */
export function checkRetries({ maxRetriesPerFailure: max }: Limits, retries: number): LimitVerdict {
  const isWithin = max === null || retries < max
  return verdict(isWithin, retries, max, `${retries} retries so far`, `${max} for one failure`)
}

function verdict(
  isWithin: boolean,
  used: number,
  max: number | null,
  what: string,
  of: string,
): LimitVerdict {
  const kind = isWithin ? 'may_proceed' : 'exceeded'
  const reason = max === null ? `${what}; no limit` : `${what}; the limit is ${of}`
  return { kind, used, max, reason }
}

/** The other way round than the limits: it says whether a person must be asked (requirements X-24). */
export type ConfirmationVerdict =
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'needs_person'; readonly pattern: string }

export function checkConfirmation({ requiredConfirmations }: Limits, operation: string): ConfirmationVerdict {
  const pattern = requiredConfirmations.find(each => names(each, operation))
  return pattern === undefined ? { kind: 'not_needed' } : { kind: 'needs_person', pattern }
}

/** Why no call would ever be asked about; null when some may. A rule that means nothing protects nobody. */
export function unknownConfirmation(pattern: string, tools: readonly string[]): string | null {
  if (tools.some(tool => names(pattern, tool))) return null
  if (pattern.endsWith('*'))
    return `No tool has a name like ${pattern}. ${suggest(pattern.slice(0, -1), tools)}`
  return `There is no tool ${pattern}. ${suggest(pattern, tools)}`
}

function names(pattern: string, operation: string): boolean {
  if (!pattern.endsWith('*')) return pattern === operation
  return operation.startsWith(pattern.slice(0, -1))
}

/** What a person is offered when a limit of a plan is reached: twice as much, and never less than what is needed now. */
export function raisedLimit({ limit, used, max, wanted }: Excess): number {
  const least = Math.max(max * 2, used + wanted)
  // In whole cents; what a float adds to them is none.
  if (limit === 'budget') return Math.ceil(toNanos(Math.max(least, 0.01)) / NANOS_A_CENT) / 100
  return Math.max(Math.ceil(least), limit === 'wall_clock' ? 60 : 10)
}

const NANOS_A_CENT = 10_000_000

export function amountWords(limit: StoppingLimit, value: number): string {
  switch (limit) {
    case 'budget':
      return usdWords(value)
    case 'tokens':
      return `${value} tokens`
    case 'wall_clock':
      return `${Math.round(value)} seconds`
    case 'steps':
      return `${value} steps`
    case 'tool_calls':
    case 'repeated_calls':
      return `${value} calls`
  }
}

/** The field that holds a limit; null where it is none of a plan's own. */
export function fieldOf(limit: StoppingLimit): NumericLimit | null {
  switch (limit) {
    case 'steps':
      return 'maxSteps'
    case 'budget':
      return 'toolBudget'
    case 'tokens':
      return 'maxTokens'
    case 'wall_clock':
      return 'maxWallClockSeconds'
    case 'tool_calls':
      return 'maxToolCallsPerInvocation'
    case 'repeated_calls':
      return null
  }
}
