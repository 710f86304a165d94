import type { Result } from '../../domain/failure.ts'
import { isFinal, isHandedOver, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { closeGate } from '../gate/close-gates.ts'
import type { Change } from '../plan/change-plan.ts'
import type { Ports } from '../ports.ts'
import { aboutFailed, isWaitingForChildren, needsPerson } from './waiting.ts'

type ChangePlan = (ports: Ports, plan: Plan, change: Change) => Result<Plan>

/**
 * What a plan's move means for the plans above and below it: its end is that of its children, and a parent that waits
 * for it goes on with it. In the transaction of the move, so that no parent sleeps through it.
 */
export function cascade(ports: Ports, plan: Plan, changePlan: ChangePlan): void {
  if (isFinal(plan.position)) endChildren(ports, plan, changePlan)
  if (plan.parentPlanId !== null && plan.appliesTo === 'parent') wakeParent(ports, plan, changePlan)
}

/** Cancelled with their parent, or applied with it where it had merged them. What was applied before stays. */
function endChildren(ports: Ports, parent: Plan, changePlan: ChangePlan): void {
  const isApplied = stateOf(parent.position) === 'applied'
  for (const child of ports.store.plans.listChildren(parent.planId)) {
    if (child.appliesTo !== 'parent' || isFinal(child.position)) continue
    const change: Change =
      isApplied && isHandedOver(child.position)
        ? { event: 'applied', reason: `applied with ${parent.name}` }
        : { event: 'cancelled', reason: `${parent.name} is ${stateOf(parent.position)}` }
    const changed = changePlan(ports, child, change)
    if (!changed.ok) throw new Error(changed.failure.message)
  }
}

function wakeParent(ports: Ports, child: Plan, changePlan: ChangePlan): void {
  const parent = child.parentPlanId && ports.store.plans.find(child.parentPlanId)
  if (!parent || needsPerson(child)) return
  // Somebody went on with the failed child itself, so nothing is left to ask about it.
  const settled = ports.store.gates
    .listOpen(parent.planId)
    .filter(gate => stateOf(child.position) !== 'errored' && aboutFailed(gate, child))
  for (const gate of settled)
    closeGate(ports, parent, gate, {
      kind: 'void',
      reason: `${child.name} is ${stateOf(child.position)}`,
      at: ports.clock.now(),
    })
  if (!isWaitingForChildren(ports, parent)) return
  const changed = changePlan(ports, parent, { event: 'continued' })
  if (!changed.ok) throw new Error(changed.failure.message)
}
