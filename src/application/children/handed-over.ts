import { type Result, refuse } from '../../domain/failure.ts'
import { isHandedOver } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { findDecision, findPlan, planOf } from '../references.ts'

/**
 * Why a child cannot go back by itself: its parent works on what it made. Null where it can, or where what is named is
 * not there, which is told elsewhere.
 */
export function refusalToGoBack(
  ports: Ports,
  planRef: string | null,
  decisionRef: string | null = null,
): Result<never> | null {
  const plan = planNamed(ports, planRef, decisionRef)
  if (!plan || !isHandedOver(plan.position) || plan.parentPlanId === null) return null
  const parent = planOf(ports, plan.parentPlanId)
  const started = plan.spawnDecisionId && ports.store.decisions.find(plan.spawnDecisionId)
  const where = started ? `${parent.name}#${started.number}, which started it,` : parent.name
  const message = `Plan ${plan.name} is handed over to ${parent.name}, which works on with it. Correct ${where} or append to ${parent.name}.`
  return refuse('invalid_state', message, { plan_id: plan.planId, parent_plan_id: parent.planId })
}

function planNamed(ports: Ports, planRef: string | null, decisionRef: string | null): Plan | null {
  const named = planRef === null ? null : findPlan(ports, planRef)
  if (decisionRef === null) return named?.ok ? named.value : null
  const decision = findDecision(ports, decisionRef, named?.ok ? named.value : null)
  return decision.ok ? planOf(ports, decision.value.planId) : null
}
