import type { PlanId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { openGate } from '../gate/open-gate.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { changePlan } from './change-plan.ts'
import { resumeQuestion } from './resume-gate.ts'

/** Opens the gate that says what was under way. A plan that was not running stays as it is. */
export function askToResume(ports: Ports, planId: PlanId): Plan {
  return ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    if (stateOf(plan.position) !== 'running') return plan
    const moved = changePlan(ports, plan, { event: 'waits', reason: 'interrupted' })
    if (!moved.ok) return plan
    const key = keyOf(ports, plan)
    openGate(ports, moved.value, resumeQuestion(key, cutStep(ports, plan, key)))
    return moved.value
  })
}

/** The name of the request that is pending: its step finds the answer under it. */
function keyOf(ports: Ports, plan: Plan): string {
  const cursor = ports.store.cursors.get(plan.planId)
  return `${plan.planId}:${plan.attempt}:${cursor?.phase ?? 'strategize'}:${cursor?.turn ?? 0}`
}

/** Steps run one after the other, so only the last one can have been cut short, and only if it is still wanted. */
function cutStep(ports: Ports, plan: Plan, key: string): Step | null {
  const last = ports.store.steps.last(plan.planId)
  if (last?.status !== 'started' && last?.status !== 'interrupted') return null
  // Its children are asked about themselves.
  if (last.kind === 'spawn') return null
  const wanted = plan.position === 'apply/running' ? last.kind === 'apply' : last.idempotencyKey === key
  return wanted ? last : null
}
