import type { Decision } from '../../domain/decision/decision.ts'
import { type Failure, type Result, refuse } from '../../domain/failure.ts'
import type { Gate, GateAnswer } from '../../domain/gate/gate.ts'
import { asId } from '../../domain/ids.ts'
import type { Correction } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { CorrectDecision, CorrectionOutcome } from '../backend/correction.ts'
import { setGoing } from '../children/set-going.ts'
import { cancelChildren, cleanUpChildren, haltChildren } from '../children/touched.ts'
import { closeGate } from '../gate/close-gates.ts'
import { refusalIfMoved } from '../gate/confirmed-preview.ts'
import { changePlan } from '../plan/change-plan.ts'
import { type PlanSession, withSession } from '../plan/session.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { findDecision, findPlan, planOf } from '../references.ts'
import {
  type BegunRestore,
  beginRestore,
  endRestore,
  failRestore,
  performRestore,
  type Restored,
} from '../rollback/journalled-restore.ts'
import { takeLine } from './line-of-work.ts'
import { type PlannedCorrection, planCorrection } from './plan-correction.ts'
import { recordDirectly } from './record-decision.ts'
import { guidanceAfter, resumedFrom, wordsFor } from './resume-from.ts'
import { supersede } from './supersede.ts'
import { recordWork } from './take-checkpoint.ts'

/** The gate at which changes were asked for: it is closed with the correction that makes them, or stays open. */
export interface AnsweredGate {
  readonly gate: Gate
  readonly answer: GateAnswer
  readonly by: string
}

/**
 * Reverts a plan to one decision and lets its actor decide again with the guidance. The preview comes first and is
 * what the confirmation is bound to: if anything moved since, the correction is refused and shown anew.
 */
export async function correctDecision(
  ports: Ports,
  owner: PlanOwner,
  input: CorrectDecision,
  answered: AnsweredGate | null = null,
): Promise<Result<CorrectionOutcome>> {
  const found = find(ports, input)
  if (!found.ok) return found
  const { plan, target } = found.value
  // Looks first without stopping the plan: a refusal must not cost it its running step.
  const planned = await withSession(ports, plan, session => planCorrection(session, plan, target))
  if (!planned.ok) return planned
  if (input.dryRun) return { ok: true, value: outcomeOf(plan, input.guidance, planned.value, null) }
  const moved = refusalIfMoved(planned.value.impact.digest, input.digest)
  if (moved) return moved
  const outcome = await owner.exclusively(plan.planId, 'now', session =>
    correct({ session, owner }, target, input, answered),
  )
  owner.run(plan.planId)
  return outcome
}

function find(ports: Ports, input: CorrectDecision): Result<{ plan: Plan; target: Decision }> {
  const named = input.planRef === null ? null : findPlan(ports, input.planRef)
  if (named && !named.ok) return named
  if (input.decisionRef === null) {
    return refuse('invalid_input', 'A revert needs a decision: name one from the plan tree, e.g. PLAN#3.')
  }
  if (input.mode === null)
    return refuse('invalid_input', 'Say how to correct the decision: --mode revert or --mode append.', {
      missing: 'mode',
    })
  const target = findDecision(ports, input.decisionRef, named?.value ?? null)
  if (!target.ok) return target
  return { ok: true, value: { plan: planOf(ports, target.value.planId), target: target.value } }
}

function outcomeOf(
  plan: Plan,
  guidance: string,
  planned: PlannedCorrection,
  correction: Correction | null,
): CorrectionOutcome {
  return {
    plan,
    targetDecisionId: planned.target.decisionId,
    mode: 'revert',
    guidance,
    impact: planned.impact,
    correction,
  }
}

interface Corrector {
  readonly session: PlanSession
  readonly owner: PlanOwner
}

async function correct(
  corrector: Corrector,
  target: Decision,
  input: CorrectDecision,
  answered: AnsweredGate | null,
): Promise<Result<CorrectionOutcome>> {
  const { session } = corrector
  const { ports } = session
  if (answered && ports.store.gates.find(answered.gate.gateId)?.status.kind !== 'open')
    return refuse('stale_answer', 'The gate was answered meanwhile.', { gate_id: answered.gate.gateId })
  // What is under way is brought to record first: it is kept, or it can be brought back.
  const cursor = ports.store.cursors.get(session.planId)
  const recorded = cursor ? await recordWork(session, cursor, 'before a correction') : null
  if (recorded && !recorded.ok) return recorded
  const planned = await planCorrection(session, planOf(ports, session.planId), target)
  if (!planned.ok) return planned
  const moved = refusalIfMoved(planned.value.impact.digest, input.digest)
  if (moved) return moved
  const outcome = await carryOut(corrector, input, planned.value, answered)
  if (outcome.ok) await cleanUpChildren(ports, planned.value.children)
  else setGoing(session)
  return outcome
}

/** All of it or nothing. */
async function carryOut(
  { session, owner }: Corrector,
  { guidance }: CorrectDecision,
  planned: PlannedCorrection,
  answered: AnsweredGate | null,
): Promise<Result<CorrectionOutcome>> {
  const halted = await haltChildren(session.ports, owner, planned.children)
  if (!halted.ok) return halted
  const begun = await begin(session, planned.target, guidance, planned)
  if (!begun.ok) return begun
  const restored = await performRestore(session, begun.value, planned.goal)
  if (!restored.ok) return fail(session, begun.value, restored.failure)
  return succeed(session, begun.value, planned, restored.value, answered)
}

interface BegunCorrection extends BegunRestore {
  readonly correction: Correction
}

/** A safety checkpoint of the present state comes first, so that a revert can itself be undone and compared. */
async function begin(
  session: PlanSession,
  target: Decision,
  guidance: string,
  planned: PlannedCorrection,
): Promise<Result<BegunCorrection>> {
  const { ports, planId } = session
  const cursor = ports.store.cursors.get(planId)
  if (!cursor) throw new Error(`plan ${planId} lost its cursor`)
  const what = `the correction of #${target.number} ${target.question}`
  const wanted = { what, groups: planned.impact, part: 'whole' as const }
  return beginRestore(session, cursor, wanted, begun => {
    const plan = planOf(ports, planId)
    const correction: Correction = {
      correctionId: asId(ports.newId()),
      planId,
      targetDecisionId: target.decisionId,
      mode: 'revert',
      guidance,
      status: 'running',
      attempt: plan.attempt + 1,
      supersededIds: planned.affected.decisions.map(({ decision }) => decision.decisionId),
      childPlanId: null,
      safetyState: begun.safety.state,
      failure: null,
      createdAt: ports.clock.now(),
      endedAt: null,
    }
    ports.store.corrections.put(correction)
    ports.store.events.append(planId, plan.rootPlanId, { type: 'CORRECTION_STARTED', correction })
    return { ...begun, correction }
  })
}

function succeed(
  session: PlanSession,
  { correction: running, step }: BegunCorrection,
  planned: PlannedCorrection,
  restored: Restored,
  answered: AnsweredGate | null,
): Result<CorrectionOutcome> {
  const { ports } = session
  const { target } = planned
  const plan = ports.store.transaction(() => {
    const before = planOf(ports, session.planId)
    if (answered) closeAnswered(ports, before, answered)
    const intervention = recordDirectly(ports, before, {
      type: 'user_intervention',
      phase: target.phase,
      question: `Correction of #${target.number}: ${target.question}`,
      chosenOption: { id: 'guidance', label: wordsFor(target, running.guidance), rationale: null },
      rationale: running.guidance,
      parentDecisionId: target.parentDecisionId,
      decidedBy: 'human',
    })
    cancelChildren(ports, planned.children, `#${target.number} of its parent was corrected`)
    supersede(ports, before, planned.affected.decisions, {
      reason: 'correction',
      supersededBy: intervention.decisionId,
      correctionId: running.correctionId,
    })
    takeLine(ports, before.planId, planned.line)
    ports.store.decisions.keepAfter(before.planId, planned.resumeAt.standing.place)
    const resumed = resumedFrom(ports, planned, running)
    ports.store.cursors.put(resumed)
    endRestore(ports, before, step, restored)
    endCorrection(ports, before, { ...running, status: 'done' })
    const event = resumed.phase === 'execute' ? 'corrected_in_execute' : 'corrected_in_strategize'
    const changed = changePlan(ports, before, {
      event,
      reason: `corrected #${target.number}`,
      patch: {
        attempt: running.attempt,
        changes: restored.changes,
        guidance: guidanceAfter(before, planned, running),
      },
    })
    if (!changed.ok) throw new Error(changed.failure.message)
    return changed.value
  })
  return { ok: true, value: outcomeOf(plan, running.guidance, planned, { ...running, status: 'done' }) }
}

function closeAnswered(ports: Ports, plan: Plan, { gate, answer, by }: AnsweredGate): void {
  closeGate(ports, plan, gate, { kind: 'resolved', answer, by, at: ports.clock.now() })
}

/** One resource that cannot be restored fails the whole correction (requirements CORR-05). */
function fail(session: PlanSession, { correction, step }: BegunCorrection, failure: Failure): Result<never> {
  const { ports } = session
  ports.store.transaction(() => {
    endCorrection(ports, planOf(ports, session.planId), {
      ...correction,
      status: 'failed',
      failure: failure.message,
    })
    failRestore(ports, step, failure)
  })
  return { ok: false, failure }
}

function endCorrection(ports: Ports, plan: Plan, correction: Correction): void {
  const ended: Correction = { ...correction, endedAt: ports.clock.now() }
  ports.store.corrections.put(ended)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'CORRECTION_FINISHED', correction: ended })
}
