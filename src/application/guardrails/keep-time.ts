import { elapsedSeconds, isRunning, started, stopped } from '../../domain/guardrails/running-time.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Starts or stops the clock of a plan that moved. Call it inside the transaction of the move. */
export function keepTime({ store }: Ports, before: Plan, after: Plan, now: string): void {
  if (isRunning(before) === isRunning(after)) return
  const time = store.guardrails.runningTime(after.planId)
  store.guardrails.setRunningTime(after.planId, isRunning(after) ? started(time, now) : stopped(time, now))
}

/** From when its process was last heard of until now, nobody ran the plan. Call it inside a transaction. */
export function forgetDeadTime({ store, clock }: Ports, planId: PlanId, lastHeard: string): void {
  const time = store.guardrails.runningTime(planId)
  if (time.since === null) return
  store.guardrails.setRunningTime(planId, started(stopped(time, lastHeard), clock.now()))
}

export function secondsRun({ store, clock }: Ports, { planId }: Pick<Plan, 'planId'>): number {
  return elapsedSeconds(store.guardrails.runningTime(planId), clock.now())
}
