import { closesCircle, type Influence, influencesThroughFiles } from '../../domain/decision/influence.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Ports } from '../ports.ts'

/** Records which decisions a step's work rests on, as soon as it is known what it read. Call it inside a transaction. */
export function recordInfluences(ports: Ports, plan: Plan, step: Step): void {
  if (step.decisionId === null || (step.read !== 'unknown' && step.read.length === 0)) return
  const { decisions, steps } = ports.store
  const active = decisions.listByPlan(plan.planId).filter(isActive)
  const numbers = new Map(active.map(each => [each.decisionId, each.number]))
  // Work under superseded decisions was undone.
  const earlier = steps
    .listByPlan(plan.planId)
    .filter(each => each.stepId !== step.stepId && each.decisionId !== null && numbers.has(each.decisionId))
  for (const edge of influencesThroughFiles(step, earlier, id => numbers.get(id) ?? 0))
    addInfluence(ports, plan, edge)
}

/** Call it inside a transaction. An edge that is known already changes nothing. */
export function addInfluence(ports: Ports, plan: Plan, edge: Influence): void {
  if (closesCircle(ports.store.decisions.influences(plan.planId), edge)) return
  ports.store.decisions.addInfluence(plan.planId, edge)
}
