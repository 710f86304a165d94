import { isFinal, stateOf } from './lifecycle.ts'
import type { Plan } from './plan.ts'

/** A child plan that a correction reaches, and what becomes of it. Source: requirements CORR-08. */
export interface TouchedChild {
  readonly plan: Plan
  readonly fate: ChildFate
}

/**
 * cancelled: whatever it does stops, and what its parent has of it leaves with the work of its spawn decision.
 * forbids: it is in the user's files, so the correction is refused. ended: it was cancelled before.
 */
export type ChildFate = 'cancelled' | 'forbids' | 'ended'

export function fateOf({ position, appliedState }: Pick<Plan, 'position' | 'appliedState'>): ChildFate {
  if (stateOf(position) === 'applied' || appliedState !== null) return 'forbids'
  return isFinal(position) ? 'ended' : 'cancelled'
}
