import type { PlanId } from '../ids.ts'

/**
 * What one call costs: reserved before it begins, settled with what it came to, or released when it never began. One
 * row for each call of each step, however often it is written (requirements GAP-18, X-52).
 */
export interface Charge {
  /** Plan, step and call: the same call is never charged twice. */
  readonly key: string
  /** Names the request that the call answers; a call that is tried again is a call of its own. */
  readonly stepKey: string
  readonly planId: PlanId
  readonly sessionId: string
  /** Name of the profile that the plan runs under. */
  readonly profile: string
  /** In which it was reserved, e.g. `2026-11`, UTC. */
  readonly month: string
  readonly state: 'reserved' | 'settled' | 'released'
  /** What counts now: the reservation, the cost, or nothing. */
  readonly usd: number
}

export interface Spending {
  readonly spentUsd: number
  readonly reservedUsd: number
}
