/**
 * What a call may cost. Every charge counts for the plan that makes it, for each plan above it, for the profile, the
 * session and the organisation; a call goes through only where all of them have room (requirements 2.12).
 * Amounts are added in whole billionths of a dollar, so that ten times 0.10 is 1.00.
 */
import type { PlanId } from '../ids.ts'
import type { BudgetLevel, Excess, LimitSource } from './limits.ts'

/** One level of the hierarchy, as it stands now. */
export interface BudgetTier {
  readonly level: BudgetLevel
  /** Null for the levels above plans. */
  readonly planId: PlanId | null
  readonly of: string
  /** Null: no limit. */
  readonly limitUsd: number | null
  readonly source: LimitSource
  readonly spentUsd: number
  /** For calls that are under way. */
  readonly reservedUsd: number
}

export type BudgetVerdict =
  | { readonly kind: 'may_proceed'; readonly exceededLevel: null; readonly reason: string }
  | {
      readonly kind: 'exceeded'
      readonly exceededLevel: BudgetLevel
      readonly reason: string
      readonly excess: Excess
    }

/** Tiers come in order, from the plan upwards: the first without room is the one that is named. */
export function checkBudget(tiers: readonly BudgetTier[], costUsd: number): BudgetVerdict {
  const full = tiers.find(tier => !hasRoom(tier, costUsd))
  if (!full) {
    const left = remainingUsd(tiers)
    const room = left === null ? 'no limit' : `${usdWords(left)} left`
    return { kind: 'may_proceed', exceededLevel: null, reason: `${usdWords(costUsd)}; ${room}` }
  }
  const excess = excessOf(full, costUsd)
  return { kind: 'exceeded', exceededLevel: full.level, reason: excess.reason, excess }
}

export function hasRoom({ limitUsd, spentUsd, reservedUsd }: BudgetTier, costUsd: number): boolean {
  return limitUsd === null || toNanos(spentUsd) + toNanos(reservedUsd) + toNanos(costUsd) <= toNanos(limitUsd)
}

function excessOf(tier: BudgetTier, costUsd: number): Excess {
  const used = tier.spentUsd + tier.reservedUsd
  const max = tier.limitUsd ?? 0
  const reason = `The budget of ${tierWords(tier)} has ${usdWords(Math.max(0, max - used))} left of ${usdWords(max)}; this call costs ${usdWords(costUsd)}`
  const { level, planId, of, source } = tier
  return { limit: 'budget', level, planId, of, used, max, wanted: costUsd, source, reason }
}

function tierWords({ level, of }: Pick<BudgetTier, 'level' | 'of'>): string {
  switch (level) {
    case 'plan':
      return `plan ${of}`
    case 'profile':
      return `all plans under profile ${of}`
    case 'session':
      return `session ${of}`
    case 'org':
      return `the organisation in ${of}`
  }
}

/** What is left at the tightest level; null where nothing limits. A plan's own share is a slice of that. */
export function remainingUsd(tiers: readonly BudgetTier[]): number | null {
  const left = tiers.flatMap(({ limitUsd, spentUsd, reservedUsd }) =>
    limitUsd === null ? [] : [toNanos(limitUsd) - toNanos(spentUsd) - toNanos(reservedUsd)],
  )
  return left.length === 0 ? null : fromNanos(Math.max(0, Math.min(...left)))
}

/** The tier that lets the least through; null where nothing limits. */
export function tightestTier(tiers: readonly BudgetTier[]): BudgetTier | null {
  const limited = tiers.filter(tier => tier.limitUsd !== null)
  const left = (tier: BudgetTier) => (tier.limitUsd ?? 0) - tier.spentUsd - tier.reservedUsd
  return limited.reduce<BudgetTier | null>(
    (least, tier) => (least !== null && left(least) <= left(tier) ? least : tier),
    null,
  )
}

export function toNanos(usd: number): number {
  return Math.round(usd * 1e9)
}

export function fromNanos(nanos: number): number {
  return nanos / 1e9
}

/** Two decimals, and more where less than a cent would look like nothing. */
export function usdWords(usd: number): string {
  const cents = usd.toFixed(2)
  const isExact = toNanos(Number(cents)) === toNanos(usd)
  return `$${isExact ? cents : usd.toFixed(6).replace(/0+$/, '')}`
}

/** Budgets of an organisation begin anew with each calendar month, UTC (requirements GAP-23). */
export function monthOf(at: string): string {
  return at.slice(0, 7)
}
