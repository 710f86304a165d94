import { type Failure, FailureError } from '../../domain/failure.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { canMove, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { changePlan } from './change-plan.ts'
import { allowAgain } from './journal-step.ts'
import { describe } from './resume-gate.ts'
import type { PlanSession } from './session.ts'
import { interruptSteps, pausePlanNow } from './take-over.ts'

const TRY_AGAIN_MS = 1_000

/**
 * A plan must not look as if it ran after its loop was thrown out of. Broken surroundings (a full disk, a busy store)
 * are a question to a person; anything else is a bug of ours, which ends the plan as failed. Where the store cannot be
 * written even for that, it is tried until it can, or until the plan is to be let go of.
 */
export async function recordTrouble(session: PlanSession, error: unknown): Promise<void> {
  const { ports, planId, signal } = session
  ports.log('a plan was stopped by an error', { planId, error: textOf(error) })
  while (!signal.aborted) {
    try {
      if (error instanceof FailureError) askAbout(session, error.failure)
      else recordBug(ports, session, error)
      return
    } catch (again) {
      ports.log('it could not be recorded yet', { planId, error: textOf(again) })
    }
    await ports.clock.wait(TRY_AGAIN_MS, signal).catch(() => {})
  }
}

function askAbout(session: PlanSession, failure: Failure): void {
  const { ports, planId } = session
  ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    const cut = interruptSteps(ports, plan).at(-1) ?? null
    // Whoever tries again at this gate allows the step again; they need not be asked twice.
    if (cut) allowAgain(ports, cut)
    if (stateOf(plan.position) === 'running') openErrorGate(session, plan, cut, failure)
    else pausePlanNow(ports, planId, failure.message)
  })
}

function openErrorGate(session: PlanSession, plan: Plan, cut: Step | null, failure: Failure): void {
  const where = cut ? describe(cut) : 'the run'
  const next = askAboutFailure(session, `${plan.planId}:${plan.attempt}:store`, where, failure)
  const waiting = changePlan(session.ports, plan, { event: 'waits', reason: next.reason ?? null })
  if (waiting.ok) next.commit?.(waiting.value)
}

function recordBug(ports: Ports, { planId }: PlanSession, error: unknown): void {
  ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    interruptSteps(ports, plan)
    const event = canMove(plan, 'failed') ? 'failed' : 'restore_failed'
    const reason = `internal error: ${error instanceof Error ? error.message : String(error)}`
    if (canMove(plan, event)) changePlan(ports, plan, { event, reason })
  })
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
