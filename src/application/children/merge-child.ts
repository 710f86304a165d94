import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { GateSubject } from '../../domain/gate/gate.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import { isFinal } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { readSpawn, type SpawnedChild, withPart } from '../../domain/plan/spawn.ts'
import { namesOf } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  MergeReport,
  MergeSource,
  OnConflict,
  Sandbox,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import { addWork, takeLine } from '../decision/line-of-work.ts'
import { planLine } from '../decision/plan-line.ts'
import { meetDriftHere } from '../drift/sandbox-drift.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { changePlan, savePlan } from '../plan/change-plan.ts'
import { endStep } from '../plan/journal-step.ts'
import { type Next, stay } from '../plan/next.ts'
import { type PlanSession, withSession } from '../plan/session.ts'
import { putOutcome, type Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { leaveOut, savePart } from './spawn-row.ts'

/**
 * Brings what a child changed into the plan's sandbox, by three-way merge. That it begins is on record first: a merge
 * that was cut short is taken back before it is done again.
 */
export async function mergeChild(turn: Turn, row: Step, child: SpawnedChild): Promise<Next> {
  const { session } = turn
  if (child.part === 'open') {
    const drifted = await meetDriftHere(turn)
    return drifted ?? { event: null, commit: () => savePart(session.ports, row, child, 'merging') }
  }
  const done = await merge(turn, row, child)
  if (done.ok) return done.value
  const { name } = planOf(session.ports, child.planId)
  return askAboutFailure(session, `${row.idempotencyKey}:merge:${child.key}`, `merging ${name}`, done.failure)
}

async function merge(turn: Turn, row: Step, child: SpawnedChild): Promise<Result<Next>> {
  const { session, plan } = turn
  const { ports, signal } = session
  const work = await workOfChild(ports, planOf(ports, child.planId))
  if (!work.ok) return work
  if (work.value === null) return ok(merged(turn, row, child, null))
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const clean = await putBack(turn, row, sandbox.value, work.value.paths)
  if (!clean.ok) return clean
  const answer = answerTo(ports, plan, conflictKey(row, child))
  if (answer?.optionId === 'leave_out')
    return ok(
      leaveOut(turn, row, {
        kind: 'leave_out',
        child,
        why: answer.note ?? 'it conflicted with the work before it',
      }),
    )
  const source = { ...work.value.source, onConflict: wayThrough(row, answer?.optionId ?? null) }
  const report = await sandbox.value.merge(source, signal)
  if (!report.ok) return signal.aborted ? ok(stay) : report
  if (report.value.outcome === 'merged') return ok(merged(turn, row, child, report.value))
  if (readSpawn(row).merge === 'fail_on_conflict') return failWhole(turn, row, child, report.value.conflicts)
  return askAboutConflict(turn, row, child, { sandbox: sandbox.value, conflicts: report.value.conflicts })
}

function wayThrough(row: Step, optionId: string | null): OnConflict {
  if (optionId === 'take_theirs' || optionId === 'keep_ours') return optionId
  return readSpawn(row).merge === 'last_wins' ? 'take_theirs' : 'refuse'
}

interface ChildWork {
  readonly source: MergeSource
  readonly paths: readonly RelPath[]
}

/** Null when it changed nothing. */
async function workOfChild(ports: Ports, child: Plan): Promise<Result<ChildWork | null>> {
  const cursor = ports.store.cursors.get(child.planId)
  if (!cursor) return ok(null)
  return withSession(ports, child, async session => {
    const sandbox = await session.sandbox()
    if (!sandbox.ok) return sandbox
    const { baseline } = sandbox.value
    const changes = await sandbox.value.changes(baseline, cursor.sandboxState)
    if (!changes.ok) return changes
    if (changes.value.files.length === 0) return ok(null)
    const paths = changes.value.files.flatMap(namesOf)
    return ok({ source: { planId: child.planId, from: baseline, to: cursor.sandboxState }, paths })
  })
}

/** Where a merge was cut short, or several were taken back, the sandbox is made again what was recorded of it. */
async function putBack(
  { cursor }: Turn,
  row: Step,
  sandbox: Sandbox,
  paths: readonly RelPath[],
): Promise<Result<unknown>> {
  const { before } = readSpawn(row)
  const since = before === null ? null : await sandbox.changes(before, cursor.sandboxState)
  if (since && !since.ok) return since
  const all = [...paths, ...(since?.value.files.map(({ path }) => path) ?? [])]
  return sandbox.restore(cursor.sandboxState, { kind: 'only', paths: [...new Set(all)] })
}

type Report = Extract<MergeReport, { outcome: 'merged' }>

function merged(turn: Turn, row: Step, child: SpawnedChild, report: Report | null): Next {
  const { session, cursor } = turn
  const { ports } = session
  return {
    event: null,
    commit: plan => {
      const spawn = withPart(readSpawn(row), child.key, 'merged')
      const written = row.written === 'unknown' ? row.written : [...row.written, ...(report?.written ?? [])]
      ports.store.steps.update({ ...row, input: spawn, written })
      if (!report) return
      const after = { ...cursor, sandboxState: report.state, written: [] }
      ports.store.cursors.put(after)
      addWork(ports, cursor.sandboxState, { ...after, decisionId: row.decisionId })
      if (spawn.merge === 'last_wins' && report.decided.length > 0)
        savePlan(ports, { ...plan, notices: [...plan.notices, lastWins(child, report)] })
    },
  }
}

function lastWins({ key }: SpawnedChild, { decided }: Report): string {
  return `The child ${key} and the work before it changed the same places of ${decided.join(', ')}; what ${key} made of them was taken.`
}

function conflictKey(row: Step, { planId }: SpawnedChild): string {
  return `${row.idempotencyKey}:conflict:${planId}`
}

interface Conflict {
  readonly sandbox: Sandbox
  readonly conflicts: readonly ApplyConflict[]
}

async function askAboutConflict(
  turn: Turn,
  row: Step,
  child: SpawnedChild,
  { sandbox, conflicts }: Conflict,
): Promise<Result<Next>> {
  const { ports } = turn.session
  const { name, planId } = planOf(ports, child.planId)
  const sides = await sidesOf(turn, row, child, { sandbox, conflicts })
  if (!sides.ok) return sides
  const paths = conflicts.map(({ path }) => path).join(', ')
  const next = ask(ports, {
    kind: 'merge_conflict',
    requestKey: conflictKey(row, child),
    question: `The child plan ${name} and the work before it changed the same places: ${paths}. What now?`,
    subject: { kind: 'merge_conflict', child: { planId, name }, conflicts, sides: sides.value },
    options: [
      {
        id: 'take_theirs',
        label: `Take what ${child.key} made of them`,
        description: 'Its other changes are merged.',
        effect: 'approve',
      },
      {
        id: 'keep_ours',
        label: 'Keep them as they are here',
        description: `The other changes of ${child.key} are merged.`,
        effect: 'approve',
      },
      {
        id: 'leave_out',
        label: `Leave ${child.key} out`,
        description: 'Nothing of it is merged. It is cancelled and stays readable.',
        effect: 'approve',
      },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'Resume or correct it later.',
        effect: 'reject',
      },
    ],
    reason: 'only a person can say which is meant',
    confidence: null,
  })
  return ok(next)
}

type Side = Extract<GateSubject, { kind: 'merge_conflict' }>['sides'][number]

/** Each path as a patch twice: what the plan made of it since the child began, and what the child did. */
async function sidesOf(
  { session, cursor }: Turn,
  row: Step,
  { planId }: SpawnedChild,
  { sandbox, conflicts }: Conflict,
): Promise<Result<Side[]>> {
  const { ports } = session
  const { from } = readSpawn(row)
  const theirCursor = ports.store.cursors.get(planId)
  if (from === null || theirCursor === null) return ok([])
  return withSession(ports, planOf(ports, planId), async other => {
    const theirs = await other.sandbox()
    if (!theirs.ok) return theirs
    const sides: Side[] = []
    for (const { path } of conflicts) {
      const here = await sandbox.patch(from, cursor.sandboxState, [path])
      if (!here.ok) return here
      const there = await theirs.value.patch(theirs.value.baseline, theirCursor.sandboxState, [path])
      if (!there.ok) return there
      sides.push({ path, ours: textOf(here.value), theirs: textOf(there.value) })
    }
    return ok(sides)
  })
}

function textOf(patch: Uint8Array): string {
  return Buffer.from(patch).toString('utf8')
}

/** All of the children or none: what was merged of them leaves the plan's work, and everything else stays. */
async function failWhole(
  turn: Turn,
  row: Step,
  child: SpawnedChild,
  conflicts: readonly ApplyConflict[],
): Promise<Result<Next>> {
  const { session, cursor } = turn
  const { ports } = session
  const rests: string[] = []
  const planned = await planLine(session, cursor, {
    has: id => id === row.decisionId,
    add: (_, why) => rests.push(why),
  })
  if (!planned.ok) return planned
  if (rests.length > 0)
    return refuse(
      'conflict',
      `What was merged of the children cannot be taken back alone: ${rests.join('; ')}.`,
    )
  const { line, goal } = planned.value
  const restored = await goBackTo(session, cursor, goal.state)
  if (!restored.ok) return restored
  const places = conflicts.map(({ path }) => path).join(', ')
  const { name } = planOf(ports, child.planId)
  const message = `${name} conflicts with the children before it in ${places}; nothing of them was merged.`
  const { failure } = refuse('conflict', message, { paths: conflicts.map(({ path }) => path) })
  return ok({
    event: null,
    commit: plan => {
      for (const { planId } of readSpawn(row).children) {
        const other = planOf(ports, planId)
        if (!isFinal(other.position)) changePlan(ports, other, { event: 'cancelled', reason: message })
      }
      const outcome = { kind: 'tool_refused', failure } as const
      endStep(ports, plan, { ...row, status: 'failed', outcome, summary: message, written: [] })
      putOutcome(session, { ...cursor, sandboxState: goal.state, base: goal.base, written: [] }, outcome)
      takeLine(ports, plan.planId, line)
    },
  })
}

async function goBackTo(session: PlanSession, cursor: Cursor, state: SandboxState): Promise<Result<unknown>> {
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const changes = await sandbox.value.changes(state, cursor.sandboxState)
  if (!changes.ok) return changes
  const paths = changes.value.files.flatMap(namesOf)
  return sandbox.value.restore(state, { kind: 'only', paths })
}
