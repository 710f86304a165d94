import type { PlanId } from '../ids.ts'

/**
 * What one call costs: reserved before it begins, settled with what it came to, or released when it never began. One
 * row for each call of each step, however often it is written (requirements GAP-18, X-52).
 */
export interface Charge extends Amount {
  /** Plan, step and call: the same call is never charged twice. */
  readonly key: string
  /** Names the request that the call answers; a call that is tried again is a call of its own. */
  readonly stepKey: string
  /** Null: of what is said in the session itself. */
  readonly planId: PlanId | null
  readonly sessionId: string
  /** Name of the profile that the plan runs under; null where there is no plan. */
  readonly profile: string | null
  /** In which it was reserved, e.g. `2026-11`, UTC. */
  readonly month: string
  readonly state: 'reserved' | 'settled' | 'released'
}

export interface Amount {
  /** What counts now: the reservation, the cost, or nothing. */
  readonly usd: number
  /** Of a model, read and written, that count now; none for any other call. */
  readonly tokens: number
  /** assumed: nobody knows what it costs; the limits count it at a price that the settings name. */
  readonly basis: 'known' | 'assumed'
}

export interface Spending {
  /** As the limits count it: with what was assumed. */
  readonly spentUsd: number
  readonly reservedUsd: number
  readonly spentTokens: number
  readonly reservedTokens: number
  /** Of what is spent, the part whose price nobody knows. */
  readonly assumedUsd: number
  readonly assumedTokens: number
}

export const nothingSpent: Spending = {
  spentUsd: 0,
  reservedUsd: 0,
  spentTokens: 0,
  reservedTokens: 0,
  assumedUsd: 0,
  assumedTokens: 0,
}

/** US dollars; null where the price of any of it is unknown, so that no guess looks like a bill. */
export function knownUsd({ spentUsd, assumedUsd, assumedTokens }: Spending): number | null {
  return assumedUsd > 0 || assumedTokens > 0 ? null : spentUsd
}
