import type { Decision } from '../../domain/decision/decision.ts'
import type { Result } from '../../domain/failure.ts'
import type { Checkpoint, Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { countChanges } from '../../domain/sandbox/changeset.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { savePlan } from '../plan/change-plan.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'

export interface Recorded {
  readonly cursor: Cursor
  readonly state: SandboxState
}

/**
 * Brings the recorded state of the sandbox up to date and closes the books on the decision under which the work was
 * done. Costs nothing when nothing was written. Verified by the sandbox before it counts.
 */
export async function recordWork(
  session: PlanSession,
  cursor: Cursor,
  label: string,
): Promise<Result<Recorded>> {
  const { ports } = session
  if (cursor.written !== 'unknown' && cursor.written.length === 0) {
    return { ok: true, value: { cursor, state: cursor.sandboxState } }
  }
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const state = await sandbox.value.checkpoint(label, cursor.written)
  if (!state.ok) return state
  const work = await sandbox.value.changes(
    stateBefore(session, cursor) ?? sandbox.value.baseline,
    state.value,
  )
  if (!work.ok) return work
  const whole = await sandbox.value.changes(sandbox.value.baseline, state.value)
  if (!whole.ok) return whole
  const next: Cursor = { ...cursor, sandboxState: state.value, written: [] }
  ports.store.transaction(() => {
    ports.store.cursors.put(next)
    const plan = ports.store.plans.find(cursor.planId)
    if (!plan) return
    savePlan(ports, { ...plan, changes: countChanges(whole.value.files) })
    if (!cursor.decisionId) return
    const changes = countChanges(work.value.files)
    ports.store.decisions.setChanges(cursor.decisionId, changes)
    ports.store.events.append(plan.planId, plan.rootPlanId, {
      type: 'DECISION_WORK_DONE',
      decisionId: cursor.decisionId,
      changes,
    })
  })
  return { ok: true, value: { cursor: next, state: state.value } }
}

/** The state in which the present decision began its work; null = the baseline. */
function stateBefore({ ports }: PlanSession, cursor: Cursor): SandboxState | null {
  const decision = cursor.decisionId ? ports.store.decisions.find(cursor.decisionId) : null
  const checkpoint = decision?.checkpointId ? ports.store.checkpoints.find(decision.checkpointId) : null
  return checkpoint?.state ?? null
}

/** The checkpoint row of a decision; there is none while nothing was modified. Call it inside a transaction. */
export function insertCheckpoint(ports: Ports, plan: Plan, decision: Decision, state: SandboxState): void {
  if (!decision.checkpointId) return
  const checkpoint: Checkpoint = {
    checkpointId: decision.checkpointId,
    planId: plan.planId,
    decisionId: decision.decisionId,
    label: `before #${decision.number} ${decision.question}`,
    resource: plan.project.name,
    state,
    createdAt: ports.clock.now(),
  }
  ports.store.checkpoints.insert(checkpoint)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'CHECKPOINT_CREATED', checkpoint })
}
