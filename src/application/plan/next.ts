import type { Excess } from '../../domain/guardrails/limits.ts'
import type { LifecycleEvent } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'

/** What one piece of a plan's work came to: the event for the lifecycle, and what is saved together with it. */
export interface Next {
  /** null: the plan stays where it is and its work goes on. */
  readonly event: LifecycleEvent | null
  readonly reason?: string | null
  readonly patch?: Partial<Plan>
  /** The limit at which it stops. */
  readonly exceeded?: Excess
  /** A second move in the same transaction, e.g. from a constrained Apply straight back to Strategize. */
  readonly followedBy?: {
    readonly event: LifecycleEvent
    readonly reason: string
    readonly patch: Partial<Plan>
  }
  /** Runs in the same transaction, after the move. It must only use the store. */
  readonly commit?: (plan: Plan) => void
}

/** Nothing to save: what was done has saved itself, or a stop was asked for. */
export const stay: Next = { event: null }

/** The same, with something more to save in its transaction. */
export function withCommit(next: Next, also: (plan: Plan) => void): Next {
  return {
    ...next,
    commit: plan => {
      next.commit?.(plan)
      also(plan)
    },
  }
}
