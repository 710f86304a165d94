/** What a plan and the plans below it wait for, seen from above. */
import type { Gate } from '../../domain/gate/gate.ts'
import type { PlanId } from '../../domain/ids.ts'
import { stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Its own open questions first, then those of the plans below it. */
export function openGatesBelow({ store }: Ports, { planId }: Plan): Gate[] {
  const plans = [planId, ...store.plans.listDescendants(planId).map(each => each.planId)]
  return plans.flatMap(each => store.gates.listOpen(each))
}

/** The child that a plan without a question of its own waits for; null when it waits for none. */
export function waitsFor(ports: Ports, plan: Plan): Plan | null {
  const { plans } = ports.store
  if (!isWaitingForChildren(ports, plan)) return null
  return plans.listChildren(plan.planId).find(child => needsPerson(child)) ?? null
}

/** It has no question of its own, and goes on by itself when one of its children does. */
export function isWaitingForChildren({ store }: Ports, { planId, position }: Plan): boolean {
  return position === 'execute/awaiting_input' && store.gates.listOpen(planId).length === 0
}

/** It goes on only when a person answers or resumes it. */
export function needsPerson({ position, appliesTo }: Plan): boolean {
  return appliesTo === 'parent' && ['awaiting_input', 'paused', 'constrained'].includes(stateOf(position))
}

/** It begins when the plan above says so, and nobody else starts it. */
export function awaitsItsTurn({ position, appliesTo, parentPlanId }: Plan): boolean {
  return parentPlanId !== null && appliesTo === 'parent' && position === 'action/queued'
}

/** Names the question about a child that failed; another failure is another question. */
export function failedKey(child: Pick<Plan, 'planId' | 'updatedAt'>): string {
  return `failed:${child.planId}:${child.updatedAt}`
}

export function aboutFailed(gate: Pick<Gate, 'requestKey'>, { planId }: Pick<Plan, 'planId'>): boolean {
  return gate.requestKey.includes(`failed:${planId}:`)
}

/** Whether a plan is that one or lies below it. */
export function isBelow(ports: Ports, planId: PlanId, { planId: above }: Plan): boolean {
  for (let at: PlanId | null = planId; at; at = ports.store.plans.find(at)?.parentPlanId ?? null)
    if (at === above) return true
  return false
}
