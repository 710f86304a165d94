import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import type { Timer } from './frame-clock.ts'
import type { Model } from './model.ts'
import { ancestorsOf, putPlan } from './plans.ts'

/** While steps run, how far their plans have come is read anew no more often than this. */
const restMs = 1_000

export interface FollowLimits {
  /** Notes which plans came closer to their limits, or have others. */
  note(event: WireEvent): void
  stop(): void
}

/** Events say that steps ran and money went, not what that means for each limit above: the plan is asked for that. */
export function createFollowLimits({
  model,
  timer,
  fetch,
  changed,
}: {
  readonly model: Model
  readonly timer: Timer
  readonly fetch: (planId: string) => Promise<PlanView | null>
  readonly changed: () => void
}): FollowLimits {
  const stale = new Set<string>()
  let cancel: (() => void) | null = null

  async function refresh(): Promise<void> {
    cancel = null
    const planIds = [...stale]
    stale.clear()
    for (const planId of planIds) {
      const fetched = await fetch(planId)
      const known = model.plans.byId.get(planId)
      // Only what no event carries: the rest may have moved on while the answer was under way.
      if (fetched && known)
        putPlan(model.plans, {
          ...known,
          budget: fetched.budget,
          limits: fetched.limits,
          profile: fetched.profile,
        })
    }
    changed()
  }

  return {
    note(event) {
      for (const planId of planIdsOf(model, event)) stale.add(planId)
      if (stale.size > 0) cancel ??= timer.after(restMs, () => void refresh())
    },
    stop() {
      cancel?.()
      cancel = null
    },
  }
}

function planIdsOf(model: Model, { method, plan_id }: WireEvent): string[] {
  switch (method) {
    case '_cleveragents/limits/changed':
    case '_cleveragents/plan/profileChanged':
      return [plan_id]
    case '_cleveragents/step/finished':
    case '_cleveragents/cost/charged':
      return [plan_id, ...ancestorsOf(model.plans, plan_id)].filter(id => isLimited(model.plans.byId.get(id)))
    default:
      return []
  }
}

function isLimited(plan: PlanView | undefined): boolean {
  if (!plan) return false
  const { budget, limits } = plan
  return [budget.limit, limits.steps.max, limits.tokens.max, limits.seconds.max].some(max => max !== null)
}
