/** What is done to a plan is done to the plans below it, and whoever moves one of them lets all of them go on. */
import type { Result } from '../../domain/failure.ts'
import { stateOf, workOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { cleanUp } from '../plan/clean-up.ts'
import { interruptPlan, pausePlan, resumePlan } from '../plan/control-plan.ts'
import { isUs } from '../plan/lease.ts'
import { pausePlanNow } from '../plan/take-over.ts'
import type { PlanOwner, YieldWhen } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { findPlan, planOf } from '../references.ts'
import { awaitsItsTurn, isWaitingForChildren } from './waiting.ts'

/** Runs what of the plan's family has work to do. What a dead process left is for those who take it over. */
export function runFamily(ports: Ports, owner: Pick<PlanOwner, 'run'>, plan: Plan): void {
  owner.run(plan.planId)
  const root = planOf(ports, plan.rootPlanId)
  for (const { planId, position } of [root, ...ports.store.plans.listDescendants(root.planId)]) {
    const lease = ports.store.leases.get(planId)
    if (workOf(position) && (lease === null || isUs(ports, lease.holder))) owner.run(planId)
  }
}

/** Runs what of the plan's session was let go on and has nobody who runs it. */
export function runSession(ports: Ports, owner: Pick<PlanOwner, 'run'>, { contextId }: Plan): void {
  for (const { planId, position } of ports.store.plans.listUnfinished(contextId))
    if (workOf(position) && ports.store.leases.get(planId) === null) owner.run(planId)
}

/** The plan first, so that it starts nothing meanwhile. */
export async function pauseFamily(ports: Ports, owner: PlanOwner, planRef: string): Promise<Result<Plan>> {
  const found = findPlan(ports, planRef)
  if (!found.ok) return found
  const { planId } = found.value
  const paused = await pausePlan(ports, owner, planId)
  const busy = await pauseBelow(ports, owner, found.value, 'after_step')
  const hasPaused = busy.some(each => stateOf(planOf(ports, each.planId).position) === 'paused')
  return paused.ok || hasPaused ? { ok: true, value: planOf(ports, planId) } : paused
}

/** What runs below it pauses at once; when its own question is answered it waits for them to be resumed. */
export async function interruptFamily(
  ports: Ports,
  owner: PlanOwner,
  planRef: string,
): Promise<Result<Plan>> {
  const interrupted = await interruptPlan(ports, owner, planRef)
  if (interrupted.ok) await pauseBelow(ports, owner, interrupted.value, 'now')
  return interrupted
}

/** Returns what it paused or found at its end. */
async function pauseBelow(
  ports: Ports,
  owner: PlanOwner,
  { planId, name }: Plan,
  when: YieldWhen,
): Promise<Plan[]> {
  const busy = ports.store.plans
    .listDescendants(planId)
    .filter(each => workOf(each.position) && !awaitsItsTurn(each))
  await Promise.all(
    busy.map(each =>
      owner.exclusively(each.planId, when, async () => {
        pausePlanNow(ports, each.planId, `${name} was ${when === 'now' ? 'interrupted' : 'paused'}`)
        return { ok: true, value: null }
      }),
    ),
  )
  return busy
}

/** A plan that only waits for paused children goes on with them. */
export function resumeFamily(ports: Ports, planRef: string): Result<Plan> {
  return ports.store.transaction(() => {
    const found = findPlan(ports, planRef)
    if (!found.ok) return found
    const { planId } = found.value
    const paused = ports.store.plans
      .listDescendants(planId)
      .filter(each => stateOf(each.position) === 'paused')
    const waits = isWaitingForChildren(ports, found.value)
    const resumed = waits && paused.length > 0 ? found : resumePlan(ports, planId)
    if (!resumed.ok) return resumed
    for (const each of paused) {
      const child = resumePlan(ports, each.planId)
      if (!child.ok) return child
    }
    return { ok: true, value: planOf(ports, planId) }
  })
}

/** The sandboxes of those that have ended and that nobody holds; a holder cleans up once its step has ended. */
export async function cleanUpFamily(
  ports: Ports,
  { planId }: Plan,
  by: 'nobody' | 'held here' = 'nobody',
): Promise<void> {
  const isFree = (id: Plan['planId']) =>
    (id === planId && by === 'held here') || ports.store.leases.get(id) === null
  for (const each of [planOf(ports, planId), ...ports.store.plans.listDescendants(planId)])
    if (isFree(each.planId)) await cleanUp(ports, each)
}
