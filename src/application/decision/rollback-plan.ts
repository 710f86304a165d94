import type { Decision } from '../../domain/decision/decision.ts'
import { type Failure, type Result, refuse } from '../../domain/failure.ts'
import { type PlanId, shortId } from '../../domain/ids.ts'
import type { Checkpoint } from '../../domain/plan/journal.ts'
import { isFinal, phaseOf, positionWords } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { RollbackOutcome } from '../backend.ts'
import { openGate } from '../gate/open-gate.ts'
import { changePlan } from '../plan/change-plan.ts'
import { resumeQuestion } from '../plan/resume-gate.ts'
import type { PlanSession } from '../plan/session.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { findById, findPlan, planOf } from '../references.ts'
import { changesOrNull } from './correct-decision.ts'
import { supersede } from './supersede.ts'
import { recordWork } from './take-checkpoint.ts'

/** Returns the sandbox to a checkpoint, the latest by default, and asks how to go on from there. */
export async function rollbackPlan(
  ports: Ports,
  owner: PlanOwner,
  planRef: string,
  checkpointRef: string | null,
): Promise<Result<RollbackOutcome>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  if (isFinal(plan.value.position)) {
    return refuse(
      'invalid_state',
      `Plan ${plan.value.name} is ${positionWords(plan.value.position)}; it cannot be rolled back.`,
    )
  }
  const checkpoint = findCheckpoint(ports, plan.value, checkpointRef)
  if (!checkpoint.ok) return checkpoint
  const outcome = await owner.exclusively(plan.value.planId, 'now', session =>
    rollBack(session, checkpoint.value),
  )
  // A plan that was running goes on when it could not be rolled back.
  owner.run(plan.value.planId)
  return outcome
}

function findCheckpoint(ports: Ports, plan: Plan, reference: string | null): Result<Checkpoint> {
  const { checkpoints } = ports.store
  if (reference !== null) {
    const found = findById('checkpoint', reference, checkpoints.match(reference, plan.planId), id =>
      checkpoints.find(id),
    )
    if (!found.ok || isCurrent(ports, found.value)) return found
    const message = `The decision of checkpoint ${shortId(found.value.checkpointId)} is superseded; the plan cannot go on from there.`
    return refuse('invalid_state', message, { checkpoint_id: found.value.checkpointId })
  }
  const latest = checkpoints.listByPlan(plan.planId).findLast(each => isCurrent(ports, each))
  if (latest) return { ok: true, value: latest }
  return refuse('not_found', `Plan ${plan.name} has no checkpoint yet; nothing was modified.`, {
    plan_id: plan.planId,
  })
}

/** A plan goes on only from a decision that still holds. */
function isCurrent(ports: Ports, { decisionId }: Checkpoint): boolean {
  const decision = decisionId ? ports.store.decisions.find(decisionId) : null
  return decision !== null && isActive(decision)
}

async function rollBack(session: PlanSession, checkpoint: Checkpoint): Promise<Result<RollbackOutcome>> {
  const { ports, planId } = session
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const cursor = ports.store.cursors.get(planId)
  const decision = checkpoint.decisionId ? ports.store.decisions.find(checkpoint.decisionId) : null
  if (!cursor || !decision)
    return refuse('invalid_state', 'The checkpoint belongs to no decision of this plan.', { planId })
  const safety = await recordWork(session, cursor, 'before a rollback')
  if (!safety.ok) return safety
  const restored = await sandbox.value.restore(checkpoint.state)
  if (!restored.ok) return restoreFailed(ports, planId, restored.failure)
  const changes = await sandbox.value.changes(sandbox.value.baseline, checkpoint.state)
  if (!changes.ok) return changes
  const plan = ports.store.transaction(() => {
    const before = planOf(ports, planId)
    supersede(ports, before, laterThan(ports, decision), {
      reason: 'rollback',
      supersededBy: null,
      correctionId: null,
    })
    ports.store.cursors.put({
      ...safety.value.cursor,
      phase: decision.phase === 'execute' ? 'execute' : 'strategize',
      stateRef: decision.contextSnapshot.actorStateRef,
      pending: null,
      outcome: { kind: 'decided', decisionId: decision.decisionId, optionId: decision.chosenOption.id },
      decisionId: decision.decisionId,
      sandboxState: checkpoint.state,
      written: [],
    })
    ports.store.events.append(planId, before.rootPlanId, { type: 'CHECKPOINT_RESTORED', ...restored.value })
    return waitThere(ports, before, decision, changesOrNull(changes.value))
  })
  return { ok: true, value: { plan, ...restored.value } }
}

/** Nobody may go on from a sandbox that is in no known state (requirements T16). */
function restoreFailed(ports: Ports, planId: PlanId, failure: Failure): Result<never> {
  ports.store.transaction(() => {
    const changed = changePlan(ports, planOf(ports, planId), {
      event: 'restore_failed',
      reason: failure.message,
    })
    if (!changed.ok) throw new Error(changed.failure.message)
  })
  return { ok: false, failure }
}

function waitThere(ports: Ports, plan: Plan, decision: Decision, changes: Plan['changes']): Plan {
  const event = decision.phase === 'execute' ? 'rolled_back_to_execute' : 'rolled_back_to_strategize'
  const reason = `rolled back to #${decision.number}`
  const changed = changePlan(ports, plan, { event, reason, patch: { attempt: plan.attempt + 1, changes } })
  if (!changed.ok) throw new Error(changed.failure.message)
  openGate(ports, changed.value, {
    ...resumeQuestion(`${plan.planId}:${changed.value.attempt}:${phaseOf(changed.value.position)}`, null),
    question: `Rolled back to #${decision.number} ${decision.question} Go on from here?`,
  })
  return changed.value
}

function laterThan(ports: Ports, decision: Decision): Decision[] {
  return ports.store.decisions
    .listByPlan(decision.planId)
    .filter(each => isActive(each) && each.number > decision.number && each.key !== null)
}
