/**
 * Bringing the sandbox to another state under the eyes of the journal: the step is on record before the first file is
 * written, so that a process killed in the middle leaves enough behind to return to the state before.
 */
import { type Failure, type Result, refuse } from '../../domain/failure.ts'
import { asId } from '../../domain/ids.ts'
import type { Checkpoint, Cursor, Step } from '../../domain/plan/journal.ts'
import { isFinal, phaseOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { type ChangeCounts, type ChangeSet, countChanges } from '../../domain/sandbox/changeset.ts'
import type { RestoreReport, Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { RestoreGroups } from '../backend/correction.ts'
import { recordWork } from '../decision/take-checkpoint.ts'
import { baseOf } from '../plan/base-state.ts'
import { changePlan } from '../plan/change-plan.ts'
import { endStep } from '../plan/journal-step.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { insertSafetyCheckpoint } from './safety-checkpoint.ts'
import { writtenSince } from './written-since.ts'

export interface RestoreWanted {
  /** As in "the rollback to #3": what is under way, for people. */
  readonly what: string
  readonly groups: RestoreGroups
  /** A correction or rollback that a person can take back, or part of what one set off. */
  readonly part: 'whole' | 'consequence'
}

/** The step path of what can be taken back. */
export const RESTORE_PATH = 'restore'
const CONSEQUENCE_PATH = 'restore.after'

export interface BegunRestore {
  /** What it can be taken back with. */
  readonly safety: Checkpoint
  /** On the state that the safety checkpoint holds. */
  readonly cursor: Cursor
  readonly step: Step
}

/** Records where the plan stands, and that the restore begins, with what `also` saves. Nothing is written yet. */
export async function beginRestore<Begun>(
  session: PlanSession,
  cursor: Cursor,
  wanted: RestoreWanted,
  also: (begun: BegunRestore) => Begun,
): Promise<Result<Begun>> {
  const { ports, planId } = session
  const label = `before ${wanted.what}`
  const recorded = await recordWork(session, cursor, label)
  if (!recorded.ok) return recorded
  const present = await withLooseEnds(session, recorded.value.cursor, label)
  if (!present.ok) return present
  return ports.store.transaction(() => {
    const plan = planOf(ports, planId)
    if (isFinal(plan.position))
      return refuse('invalid_state', `Plan ${plan.name} ended meanwhile; nothing was restored.`)
    const safety = insertSafetyCheckpoint(ports, plan, present.value, label)
    const begun = { safety, cursor: present.value, step: restoreStep(ports, plan, safety, wanted) }
    ports.store.steps.insert(begun.step)
    ports.store.events.append(planId, plan.rootPlanId, { type: 'STEP_STARTED', step: begun.step })
    return { ok: true, value: also(begun) }
  })
}

/** With what a step that was cut short left. It is nobody's work, and it is not lost either. */
async function withLooseEnds(session: PlanSession, cursor: Cursor, label: string): Promise<Result<Cursor>> {
  const { ports, planId } = session
  if (writtenSince(ports, planOf(ports, planId), cursor) !== 'unknown') return { ok: true, value: cursor }
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const state = await sandbox.value.checkpoint(label, 'unknown')
  return state.ok ? { ok: true, value: { ...cursor, sandboxState: state.value } } : state
}

function restoreStep(
  ports: Ports,
  { planId, attempt, position }: Plan,
  { checkpointId }: Checkpoint,
  { what, groups, part }: RestoreWanted,
): Step {
  const now = ports.clock.now()
  const phase = phaseOf(position)
  return {
    stepId: asId(ports.newId()),
    planId,
    attempt,
    phase: phase === 'action' ? 'strategize' : phase,
    path: part === 'whole' ? RESTORE_PATH : CONSEQUENCE_PATH,
    kind: 'restore',
    tool: null,
    input: { what, safety_checkpoint_id: checkpointId },
    readOnly: false,
    decisionId: null,
    idempotencyKey: `${planId}:restore:${checkpointId}`,
    status: 'started',
    outcome: null,
    summary: '',
    read: [],
    written: groups.restored.map(({ path }) => path),
    authorisedAt: now,
    startedAt: now,
    endedAt: null,
    takenBackAt: null,
  }
}

export interface RestoreGoal {
  readonly state: SandboxState
  /** Which of the user's edits that state holds. */
  readonly base: Cursor['base']
}

export interface Restored {
  readonly report: RestoreReport
  /** Since the start of the plan; null while nothing differs. */
  readonly changes: ChangeCounts | null
}

/** Writes what the preview named and nothing else. When that fails, what was written is put back. */
export async function performRestore(
  session: PlanSession,
  { safety, step }: BegunRestore,
  to: RestoreGoal,
): Promise<Result<Restored>> {
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const report = await bringTo(sandbox.value, to, safety, step)
  if (!report.ok) return putBack(sandbox.value, safety, step, report.failure)
  const changes = await sandbox.value.changes(baseOf(to, sandbox.value), to.state)
  if (!changes.ok) return putBack(sandbox.value, safety, step, changes.failure)
  return { ok: true, value: { report: report.value, changes: changesOrNull(changes.value) } }
}

/** A sandbox that returns to no state can stay where it is. */
async function bringTo(
  sandbox: Sandbox,
  { state }: RestoreGoal,
  safety: Checkpoint,
  step: Step,
): Promise<Result<RestoreReport>> {
  if (state === safety.state && step.written.length === 0)
    return { ok: true, value: { restored: [], removed: [] } }
  return sandbox.restore(state, scopeOf(step))
}

/** null while nothing differs from the start of the plan. */
function changesOrNull(changes: ChangeSet): ChangeCounts | null {
  return changes.files.length === 0 ? null : countChanges(changes.files)
}

async function putBack(
  sandbox: Sandbox,
  safety: Checkpoint,
  step: Step,
  failure: Failure,
): Promise<Result<never>> {
  const back = await sandbox.restore(safety.state, scopeOf(step))
  const end = back.ok
    ? 'The sandbox is as it was before.'
    : `It could not be put back as it was either: ${back.failure.message}`
  return refuse(failure.code, `${failure.message} ${end}`, { ...failure.facts })
}

/** Call it inside the transaction that saves what the restore led to. */
export function endRestore(ports: Ports, plan: Plan, step: Step, { report }: Restored): void {
  const { restored, removed } = report
  const summary = `${step.input['what']}: ${restored.length} restored, ${removed.length} removed`
  endStep(ports, plan, { ...step, status: 'done', summary })
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'CHECKPOINT_RESTORED', ...report })
}

/** Nobody may go on from a sandbox that is in no known state (requirements T16). Call it inside a transaction. */
export function failRestore(ports: Ports, step: Step, failure: Failure): void {
  const plan = planOf(ports, step.planId)
  endStep(ports, plan, { ...step, status: 'failed', summary: failure.message })
  const changed = changePlan(ports, plan, { event: 'restore_failed', reason: failure.message })
  if (!changed.ok) throw new Error(changed.failure.message)
}

export function scopeOf({ written }: Step) {
  return written === 'unknown' ? { kind: 'all' as const } : { kind: 'only' as const, paths: written }
}
