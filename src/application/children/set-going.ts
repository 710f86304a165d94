import type { PlanId } from '../../domain/ids.ts'
import { stateOf } from '../../domain/plan/lifecycle.ts'
import { changePlan } from '../plan/change-plan.ts'
import { allowCutStep } from '../plan/journal-step.ts'
import type { PlanSession } from '../plan/session.ts'

/** Why a child stands still that is to be cancelled by what is done to its parent. */
export const HALTED = 'the plan above it is being corrected or rolled back'

/** Those below the plan that were halted go on where they stood: what they were halted for did not come about. */
export function setGoing({ ports, planId, start }: Pick<PlanSession, 'ports' | 'planId' | 'start'>): void {
  for (const plan of ports.store.plans.listDescendants(planId)) if (goesOn(plan.planId)) start(plan.planId)

  function goesOn(child: PlanId): boolean {
    return ports.store.transaction(() => {
      const plan = ports.store.plans.find(child)
      if (!plan || stateOf(plan.position) !== 'paused' || plan.reason !== HALTED) return false
      allowCutStep(ports, child)
      return changePlan(ports, plan, { event: 'resumed' }).ok
    })
  }
}
