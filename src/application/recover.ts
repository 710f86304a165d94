import { stateOf, workOf } from '../domain/plan/lifecycle.ts'
import type { Plan } from '../domain/plan/plan.ts'
import { askToResume } from './plan/control-plan.ts'
import { type PlanOwner, pause } from './plan-owner.ts'
import type { Ports } from './ports.ts'

/**
 * Takes over what dead processes left. A plan that was in the middle of a step asks how to go on; one that stopped
 * between two steps pauses, or runs on where this process serves. Nothing is repeated silently.
 */
export function recover(ports: Ports, owner: PlanOwner, mode: 'look' | 'serve'): void {
  for (const plan of ports.store.plans.list({ limit: 10_000 })) {
    if (workOf(plan.position) === null || isOwned(ports, plan)) continue
    dropLease(ports, plan)
    if (wasMidStep(ports, plan)) askToResume(ports, plan.planId)
    else if (mode === 'serve') owner.run(plan.planId)
    else pause(ports, plan.planId, 'the program that ran it ended; resume the plan to go on')
  }
}

function isOwned(ports: Ports, plan: Plan): boolean {
  const lease = ports.store.leases.get(plan.planId)
  return lease !== null && ports.host.isAlive(lease.holder)
}

function dropLease(ports: Ports, plan: Plan): void {
  const lease = ports.store.leases.get(plan.planId)
  if (lease) ports.store.leases.remove(plan.planId, lease.holder)
}

function wasMidStep(ports: Ports, plan: Plan): boolean {
  if (stateOf(plan.position) !== 'running') return false
  const steps = ports.store.steps.listByPlan(plan.planId).filter(step => step.status === 'started')
  ports.store.transaction(() => {
    for (const step of steps) {
      const interrupted = {
        ...step,
        status: 'interrupted' as const,
        endedAt: ports.clock.now(),
        summary: 'interrupted',
      }
      ports.store.steps.update(interrupted)
      ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'STEP_FINISHED', step: interrupted })
    }
  })
  return steps.some(step => !step.readOnly)
}
