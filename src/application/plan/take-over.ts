import type { PlanId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { canMove, workOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isApplyCut } from '../apply/is-apply-cut.ts'
import { awaitsItsTurn } from '../children/waiting.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { closeReservations } from '../guardrails/charge-call.ts'
import { forgetDeadTime } from '../guardrails/keep-time.ts'
import type { Ports } from '../ports.ts'
import { cutRestore } from '../rollback/cut-restore.ts'
import { askToResume } from './ask-to-resume.ts'
import { changePlan } from './change-plan.ts'
import { endStep } from './journal-step.ts'
import { dropLease, takeLease } from './lease.ts'

/**
 * What becomes of a plan whose process is gone. One that was in the middle of a step asks how to go on, unless its
 * profile restores by itself; any other pauses, or runs on where this process serves. True: it is ours to run on now.
 * All in one transaction, so that of two processes that find it only one takes it over.
 */
export function takeOver(ports: Ports, planId: PlanId, mode: 'look' | 'serve'): boolean {
  return ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    const lease = ports.store.leases.get(planId)
    if (
      !plan ||
      awaitsItsTurn(plan) ||
      (lease ? ports.host.isAlive(lease.holder) : !isLeftAlone(ports, plan))
    )
      return false
    if (lease) forgetDeadTime(ports, planId, lease.heartbeatAt)
    // Its sandbox is put in order by whoever holds it next, before anything else.
    if (cutRestore(ports, planId)) return takeLease(ports, planId)
    if (lease) dropLease(ports, planId, lease.holder)
    // What it left half done in the user's files only a look can tell; Apply begins with that look, and asks.
    if (isApplyCut(ports, plan)) {
      interruptSteps(ports, plan)
      return takeLease(ports, planId)
    }
    const cut = interruptSteps(ports, plan).some(step => !step.readOnly)
    if (workOf(plan.position) === null) return false
    if (cut && !restoresByItself(ports, plan)) {
      askToResume(ports, planId)
      return false
    }
    if (mode === 'serve') return takeLease(ports, planId)
    pausePlanNow(ports, planId, 'the program that ran it ended; resume the plan to go on')
    return false
  })
}

/** A plan that was moved a moment ago may be about to be run by the process that moved it. */
function isLeftAlone(ports: Ports, plan: Plan): boolean {
  return Date.parse(ports.clock.now()) - Date.parse(plan.updatedAt) > TAKING_A_LEASE_MS
}

const TAKING_A_LEASE_MS = 10_000

/**
 * Steps that began and have no end, once nobody works on them any more. A restore is ended by what undoes it, and the
 * children of a spawn step are driven on from its row. Call it inside a transaction.
 */
export function interruptSteps(ports: Ports, plan: Plan): Step[] {
  closeReservations(ports, plan)
  const steps = ports.store.steps
    .listByPlan(plan.planId)
    .filter(step => step.status === 'started' && step.kind !== 'restore' && step.kind !== 'spawn')
  for (const step of steps) endStep(ports, plan, { ...step, status: 'interrupted', summary: 'interrupted' })
  return steps
}

function restoresByItself(ports: Ports, plan: Plan): boolean {
  return judgeOperation(ports, plan, {
    gate: 'restoreCheckpoint',
    decisionType: 'error_recovery',
    stated: null,
  }).passes
}

/** Only a plan that has work to do can pause; any other stays as it is. */
export function pausePlanNow(ports: Ports, planId: PlanId, reason: string): void {
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    if (plan && workOf(plan.position) && canMove(plan, 'paused'))
      changePlan(ports, plan, { event: 'paused', reason })
  })
}
