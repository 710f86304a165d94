import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Whether the last thing that happened to a plan, whose process is gone, may have been half an Apply. */
export function isApplyCut(ports: Ports, plan: Plan): boolean {
  if (plan.position !== 'apply/running') return false
  const last = ports.store.steps.listByPlan(plan.planId).at(-1)
  return last?.kind === 'apply' && (last.status === 'started' || last.status === 'interrupted')
}
