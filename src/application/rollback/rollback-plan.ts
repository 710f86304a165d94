import type { Decision } from '../../domain/decision/decision.ts'
import { type Failure, type Result, refuse } from '../../domain/failure.ts'
import { shortId } from '../../domain/ids.ts'
import type { Checkpoint, Cursor } from '../../domain/plan/journal.ts'
import { isFinal, phaseOf, positionWords } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { RollBack, RollbackOutcome } from '../backend/rollback.ts'
import { setGoing } from '../children/set-going.ts'
import { cleanUpChildren, haltChildren } from '../children/touched.ts'
import { addWork, takeLine } from '../decision/line-of-work.ts'
import { stateToResume } from '../decision/resume-from.ts'
import { reinstate, supersede } from '../decision/supersede.ts'
import { refusalIfMoved } from '../gate/confirmed-preview.ts'
import { openGate } from '../gate/open-gate.ts'
import { changePlan } from '../plan/change-plan.ts'
import { resumeQuestion } from '../plan/resume-gate.ts'
import { type PlanSession, withSession } from '../plan/session.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { findById, findPlan, planOf } from '../references.ts'
import {
  type BegunRestore,
  beginRestore,
  endRestore,
  failRestore,
  performRestore,
  type Restored,
} from './journalled-restore.ts'
import { type PlannedRollback, planRollback } from './plan-rollback.ts'
import { takeStepsBack } from './take-steps-back.ts'

/**
 * Returns the sandbox to a checkpoint, the latest by default, and asks how to go on from there. What it will do is
 * shown first, and a confirmation holds for just that. A checkpoint taken before an earlier rollback or correction
 * takes that one back.
 */
export async function rollbackPlan(
  ports: Ports,
  owner: PlanOwner,
  input: RollBack,
): Promise<Result<RollbackOutcome>> {
  const plan = findPlan(ports, input.planRef)
  if (!plan.ok) return plan
  const { planId, name, position } = plan.value
  if (isFinal(position))
    return refuse('invalid_state', `Plan ${name} is ${positionWords(position)}; it cannot be rolled back.`)
  const checkpoint = findCheckpoint(ports, plan.value, input.checkpointRef)
  if (!checkpoint.ok) return checkpoint
  // Looks first without stopping the plan: a refusal must not cost it its running step.
  const planned = await withSession(ports, plan.value, session =>
    planRollback(session, plan.value, checkpoint.value),
  )
  if (!planned.ok) return inWords(planned.failure, plan.value)
  if (input.dryRun) return { ok: true, value: outcomeOf(plan.value, planned.value, null) }
  const moved = refusalIfMoved(planned.value.impact.digest, input.digest)
  if (moved) return moved
  const outcome = await owner.exclusively(planId, 'now', session =>
    rollBack({ session, owner }, checkpoint.value, input.digest),
  )
  // A plan that was running goes on when it could not be rolled back.
  owner.run(planId)
  return outcome
}

/** A sandbox that was made anew has none of the states of the one before. */
function inWords(failure: Failure, { name, planId }: Plan): Result<never> {
  if (failure.code !== 'not_found' || failure.facts['state'] === undefined) return { ok: false, failure }
  const message = `Plan ${name} cannot go back there: that state went with an earlier sandbox, when everything was planned anew.`
  return refuse('invalid_state', message, { plan_id: planId, ...failure.facts })
}

function findCheckpoint(ports: Ports, plan: Plan, reference: string | null): Result<Checkpoint> {
  const { checkpoints } = ports.store
  if (reference !== null) {
    const found = findById('checkpoint', reference, checkpoints.match(reference, plan.planId), id =>
      checkpoints.find(id),
    )
    if (!found.ok || found.value.origin.kind === 'safety') return found
    const obstacle = whyNotFrom(decisionOf(ports, found.value))
    if (obstacle === null) return found
    const message = `The decision of checkpoint ${shortId(found.value.checkpointId)} ${obstacle}; the plan cannot go on from there.`
    return refuse('invalid_state', message, { checkpoint_id: found.value.checkpointId })
  }
  const latest = checkpoints
    .listByPlan(plan.planId)
    .findLast(each => whyNotFrom(decisionOf(ports, each)) === null)
  if (latest) return { ok: true, value: latest }
  return refuse('not_found', `Plan ${plan.name} has no checkpoint yet; nothing was modified.`, {
    plan_id: plan.planId,
  })
}

function decisionOf({ store }: Ports, { decisionId }: Checkpoint): Decision | null {
  return decisionId ? store.decisions.find(decisionId) : null
}

/** A plan goes on only from a decision that still holds, and that its actor has come to. */
function whyNotFrom(decision: Decision | null): string | null {
  if (decision === null || !isActive(decision)) return 'is superseded'
  return decision.standing.actorStateRef === null
    ? 'is kept from before a correction and has not been reached again'
    : null
}

function outcomeOf(
  plan: Plan,
  { checkpoint, impact }: PlannedRollback,
  safety: Checkpoint | null,
): RollbackOutcome {
  return { plan, checkpoint, impact, safety }
}

interface RollingBack {
  readonly session: PlanSession
  readonly owner: PlanOwner
}

async function rollBack(
  { session, owner }: RollingBack,
  checkpoint: Checkpoint,
  digest: string | null,
): Promise<Result<RollbackOutcome>> {
  const { ports, planId } = session
  const planned = await planRollback(session, planOf(ports, planId), checkpoint)
  if (!planned.ok) return planned
  const moved = refusalIfMoved(planned.value.impact.digest, digest)
  if (moved) return moved
  const children = planned.value.children.map(plan => ({ plan }))
  const halted = await haltChildren(ports, owner, children)
  const outcome = halted.ok ? await carryOut(session, planned.value) : halted
  if (outcome.ok) await cleanUpChildren(ports, children)
  else setGoing(session)
  return outcome
}

/** All of it or nothing. */
async function carryOut(session: PlanSession, planned: PlannedRollback): Promise<Result<RollbackOutcome>> {
  const { ports } = session
  const { cursor, checkpoint, impact, goal } = planned
  const wanted = {
    what: `the rollback to ${nameOf(ports, checkpoint)}`,
    groups: impact,
    part: 'whole' as const,
  }
  const begun = await beginRestore(session, cursor, wanted, each => each)
  if (!begun.ok) return begun
  const restored = await performRestore(session, begun.value, goal)
  if (!restored.ok) {
    ports.store.transaction(() => failRestore(ports, begun.value.step, restored.failure))
    return restored
  }
  const plan = ports.store.transaction(() => goBack(ports, planned, begun.value, restored.value))
  return { ok: true, value: outcomeOf(plan, planned, begun.value.safety) }
}

/** As in "before the rollback to #3 Which words?". */
function nameOf(ports: Ports, { decisionId, label }: Checkpoint): string {
  const decision = decisionId ? ports.store.decisions.find(decisionId) : null
  return decision ? `#${decision.number} ${decision.question}` : `the state ${label}`
}

/** Everything but the sandbox goes back too; old decisions are superseded, never deleted. Call it inside a transaction. */
function goBack(ports: Ports, planned: PlannedRollback, begun: BegunRestore, restored: Restored): Plan {
  const { checkpoint, superseded, again } = planned
  const before = planOf(ports, checkpoint.planId)
  supersede(
    ports,
    before,
    superseded.map(decision => ({ decision, why: null })),
    { reason: 'rollback', supersededBy: null, correctionId: null },
  )
  reinstate(ports, before, again)
  takeStepsBack(ports, before, checkpoint)
  const there = momentOf(ports, planned, begun.cursor)
  ports.store.cursors.put(there.cursor)
  bringLineBack(ports, planned, there.cursor)
  endRestore(ports, before, begun.step, restored)
  const { phase } = there.cursor
  const changed = changePlan(ports, before, {
    event: phase === 'execute' ? 'rolled_back_to_execute' : 'rolled_back_to_strategize',
    reason: `rolled back to ${there.name}`,
    // Approvals are bound to the attempt: what was approved on the line that is left is asked anew.
    patch: { ...there.patch, attempt: before.attempt + 1, changes: restored.changes },
  })
  if (!changed.ok) throw new Error(changed.failure.message)
  const key = `${before.planId}:${changed.value.attempt}:${phaseOf(changed.value.position)}`
  const question = `Rolled back to ${there.name} Go on from here?`
  const asked = resumeQuestion(key, null)
  openGate(ports, changed.value, {
    ...asked,
    question,
    options: asked.options.map(each =>
      each.effect === 'approve' ? { ...each, description: GOES_ON } : each,
    ),
    reason: 'after a rollback nothing goes on by itself',
  })
  return changed.value
}

function bringLineBack(ports: Ports, { checkpoint, line }: PlannedRollback, cursor: Cursor): void {
  const { planId, origin } = checkpoint
  const { works, decisions } = ports.store
  if (line) takeLine(ports, planId, line)
  if (origin.kind === 'safety') {
    works.setPresent(planId, origin.line)
    for (const each of origin.standings) decisions.setStanding(each.decisionId, each.standing)
  }
  // The state may hold what somebody changed by hand, or what a step that was cut short left.
  addWork(ports, cursor.sandboxState, cursor)
}

const GOES_ON = 'The plan works on from there; your own files are not touched.'

interface There {
  readonly name: string
  readonly cursor: Cursor
  readonly patch: Partial<Plan>
}

/** Where the plan stands once it is back: right after the decision of the checkpoint, or exactly where it was. */
function momentOf(ports: Ports, { checkpoint, goal }: PlannedRollback, now: Cursor): There {
  const { origin, label } = checkpoint
  if (origin.kind === 'safety') {
    const { cursor, reversions, guidance } = origin
    return { name: `the state ${label}.`, cursor, patch: { reversions, guidance } }
  }
  const decision = checkpoint.decisionId ? ports.store.decisions.find(checkpoint.decisionId) : null
  if (!decision) throw new Error(`checkpoint ${checkpoint.checkpointId} has no decision`)
  const cursor: Cursor = {
    ...now,
    phase: decision.phase === 'execute' ? 'execute' : 'strategize',
    stateRef: stateToResume(decision),
    pending: null,
    outcome: { kind: 'decided', decisionId: decision.decisionId, optionId: decision.chosenOption.id },
    decisionId: decision.decisionId,
    underKept: false,
    sandboxState: goal.state,
    written: [],
    base: goal.base,
  }
  return { name: `#${decision.number} ${decision.question}`, cursor, patch: {} }
}
