import type { Decision } from '../../domain/decision/decision.ts'
import { ok, type Result } from '../../domain/failure.ts'
import { asId } from '../../domain/ids.ts'
import type { Checkpoint, Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Work } from '../../domain/plan/work.ts'
import { type ChangeCounts, type ChangedFile, countChanges } from '../../domain/sandbox/changeset.ts'
import { decodeGroupState } from '../../domain/sandbox/group-state.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import { baseOf } from '../plan/base-state.ts'
import { savePlan } from '../plan/change-plan.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { addWork } from './line-of-work.ts'
import { writtenSinceRecorded } from './record-writes.ts'

export interface Recorded {
  readonly cursor: Cursor
  readonly state: SandboxState
}

/**
 * Brings the recorded state of the sandbox up to date, so that what comes next can be undone exactly. Costs nothing
 * when nothing was written. Verified by the sandbox before it counts.
 */
export async function recordState(
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
  const found = await writtenSinceRecorded(sandbox.value, cursor, state.value)
  if (!found.ok) return found
  const next: Cursor = { ...cursor, sandboxState: state.value, written: [] }
  ports.store.transaction(() => {
    ports.store.cursors.put(next)
    addWork(ports, cursor.sandboxState, next)
    if (cursor.decisionId) ports.store.writes.addPaths(cursor.planId, cursor.decisionId, found.value)
  })
  return { ok: true, value: { cursor: next, state: state.value } }
}

/** Records the state and closes the books on the decision under which the work was done: its change counts. */
export async function recordWork(
  session: PlanSession,
  cursor: Cursor,
  label: string,
): Promise<Result<Recorded>> {
  const recorded = await recordState(session, cursor, label)
  if (!recorded.ok) return recorded
  const counted = await countWork(session, recorded.value)
  return counted.ok ? recorded : counted
}

async function countWork(session: PlanSession, { cursor, state }: Recorded): Promise<Result<void>> {
  const { works } = session.ports.store
  // Work that another decision did last was counted when that one's books were closed.
  if (works.last(cursor.planId)?.decisionId !== cursor.decisionId) return ok()
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const done = cursor.decisionId
    ? works.listByDecision(cursor.decisionId)
    : works.listPresent(cursor.planId).filter(each => each.decisionId === null)
  const work = await changesOfWork(sandbox.value, done)
  if (!work.ok) return work
  const whole = await sandbox.value.changes(baseOf(cursor, sandbox.value), state)
  if (!whole.ok) return whole
  saveCounts(session, cursor, countChanges(work.value), countChanges(whole.value.files))
  return ok()
}

/** The files of every stretch; one that was changed in two of them is there twice. */
async function changesOfWork(sandbox: Sandbox, done: readonly Work[]): Promise<Result<ChangedFile[]>> {
  const files: ChangedFile[] = []
  for (const { from, to } of done) {
    const changes = await sandbox.changes(from ?? sandbox.baseline, to)
    if (!changes.ok) return changes
    files.push(...changes.value.files)
  }
  return { ok: true, value: files }
}

function saveCounts({ ports }: PlanSession, cursor: Cursor, work: ChangeCounts, whole: ChangeCounts): void {
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(cursor.planId)
    if (!plan) return
    savePlan(ports, { ...plan, changes: whole })
    const { decisionId } = cursor
    if (!decisionId) return
    ports.store.decisions.setChanges(decisionId, work)
    ports.store.events.append(plan.planId, plan.rootPlanId, {
      type: 'DECISION_WORK_DONE',
      decisionId,
      changes: work,
    })
  })
}

/**
 * The checkpoint group of a decision: a row for each resource modified so far, none while nothing was. Any of them
 * stands for the whole group. Call it inside a transaction.
 */
export function insertCheckpoint(ports: Ports, plan: Plan, decision: Decision, state: SandboxState): void {
  if (!decision.checkpointId) return
  const base = ports.store.cursors.get(plan.planId)?.base ?? null
  let checkpointId = decision.checkpointId
  for (const resource of modifiedResources(plan, state)) {
    const checkpoint: Checkpoint = {
      checkpointId,
      planId: plan.planId,
      decisionId: decision.decisionId,
      label: `before #${decision.number} ${decision.question}`,
      resource,
      state,
      createdAt: ports.clock.now(),
      origin: { kind: 'decision', base },
    }
    ports.store.checkpoints.insert(checkpoint)
    ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'CHECKPOINT_CREATED', checkpoint })
    checkpointId = asId(ports.newId())
  }
}

function modifiedResources({ project, resources }: Plan, state: SandboxState): string[] {
  const { hasFiles, databases } = decodeGroupState(state)
  const names = resources.filter(each => databases.has(each.resourceId)).map(each => each.name)
  return hasFiles || names.length === 0 ? [project.name, ...names] : names
}
