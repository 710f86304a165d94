/**
 * The only moment at which the user's tree changes: the plan's change set, or the part of it that a person chose, is
 * merged into that tree as it is now. What is done about conflicts stands in ask-about-conflicts.ts.
 */
import type { Result } from '../../domain/failure.ts'
import type { ChosenPart } from '../../domain/gate/gate.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { type ChangeSet, countChanges, isNamedBy } from '../../domain/sandbox/changeset.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { ApplyChoice, ApplyReport, Sandbox, UnfinishedApply } from '../../domain/sandbox/strategy.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { ask } from '../gate/find-answer.ts'
import { openGate } from '../gate/open-gate.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { refusalByInvariants } from '../invariant/broken-rules.ts'
import { reconcileFor } from '../invariant/enforce.ts'
import { askOrRecord, newLine } from '../invariant/tighter.ts'
import { fromOf } from '../plan/base-state.ts'
import { phaseKey, phaseQuestion } from '../plan/decide-phase.ts'
import { authoriseStep, endStep, runStep } from '../plan/journal-step.ts'
import { type Next, stay } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'
import { constrained } from './ask-about-conflicts.ts'
import { cutApplyQuestion, type WayToSettle, wayToSettle } from './cut-apply.ts'
import { keepGuards } from './keep-guards.ts'

/** Everything that one Apply works with. */
export interface Applying {
  readonly session: PlanSession
  readonly plan: Plan
  readonly cursor: Cursor
  readonly sandbox: Sandbox
  /** What of the plan is not in the user's tree. */
  readonly changes: ChangeSet
  /** The part that was chosen; null for all of it. */
  readonly part: ChosenPart | null
}

/** Refused when the change set is not the one that was approved. */
export async function applyPlan(session: PlanSession, plan: Plan): Promise<Next> {
  const { ports } = session
  const cursor = ports.store.cursors.get(plan.planId)
  const sandbox = await session.sandbox()
  if (!sandbox.ok)
    return askAboutFailure(session, `${plan.attempt}:apply`, 'opening the sandbox', sandbox.failure)
  if (!cursor) return { event: 'failed', reason: 'there is no recorded work to apply' }
  const unfinished = await sandbox.value.unfinishedApply()
  const changes = await sandbox.value.changes(fromOf(plan, cursor, sandbox.value), cursor.sandboxState)
  if (!changes.ok)
    return askAboutFailure(session, `${plan.attempt}:apply`, 'reading the changes', changes.failure)
  const begun = { session, plan, cursor, sandbox: sandbox.value, changes: changes.value }
  if (unfinished) return settleUnfinished({ ...begun, part: null }, unfinished)
  const approved = approvalOf(session, plan)
  if (approved.digest !== null && approved.digest !== changes.value.digest) {
    return {
      event: 'failed',
      reason:
        'the change set is not the one that was approved; correct a decision or roll back to be asked again',
    }
  }
  const { part } = approved
  const held = keepGuards(session, plan) ?? (await keepInvariants({ ...begun, part }, approved))
  if (held) return held
  const request = {
    from: fromOf(plan, cursor, sandbox.value),
    to: cursor.sandboxState,
    choice: choiceOf(part),
  }
  return perform({ ...begun, part }, inputOf(part), () => sandbox.value.apply(request, session.signal))
}

/**
 * What must stay true may have changed since the question before Apply was answered: a broken rule refuses, and one
 * that was not told with the question is asked about.
 */
async function keepInvariants(
  { session, plan, changes, part }: Applying,
  { summary }: Approval,
): Promise<Next | null> {
  const enforced = await reconcileFor(session, plan)
  const files =
    part?.kind === 'paths'
      ? changes.files.filter(file => part.only.some(path => isNamedBy(file, path)))
      : changes.files
  const refused = enforced.ok
    ? refusalByInvariants(session.ports, plan, enforced.value.active, files)
    : enforced.failure
  if (refused) return askAboutFailure(session, `${plan.attempt}:apply:invariants`, 'Apply', refused)
  if (!enforced.ok) return null
  const { active, tighter } = enforced.value
  const unseen = tighter.filter(each => !summary.includes(newLine(each)))
  return askOrRecord(session, plan, { active, tighter: unseen })
}

/** One attempt at the user's files, journalled as a step, and what follows from its report. */
async function perform(
  applying: Applying,
  input: Readonly<Record<string, unknown>>,
  write: () => Promise<Result<ApplyReport>>,
): Promise<Next> {
  const { session, plan, cursor, changes } = applying
  const { ports } = session
  const authorised = ports.store.transaction(() =>
    authoriseStep(ports, plan, cursor, {
      path: 'apply',
      kind: 'apply',
      tool: null,
      input: { digest: changes.digest, folder: plan.project.root, ...input },
      readOnly: false,
      idempotencyKey: `${plan.attempt}:${plan.planId}:apply:${ports.clock.now()}`,
    }),
  )
  let report: ApplyReport | null = null
  const { step, result } = await runStep(session, plan, authorised, async () => {
    const applied = await write()
    if (!applied.ok) return applied
    report = applied.value
    const output = outputOf(applied.value)
    return { ok: true, value: { output, summary: wordsFor(applied.value), read: [], written: [] } }
  })
  if (!result.ok && session.signal.aborted) return stay
  const ended: Step = {
    ...step,
    outcome: result.ok ? { kind: 'tool_result', output: result.value.output } : null,
    summary: result.ok ? result.value.summary : result.failure.message,
  }
  if (!result.ok) {
    const next = askAboutFailure(session, `${plan.attempt}:apply`, 'Apply', result.failure)
    return withStep(session, next, { ...ended, status: 'failed' })
  }
  return withStep(session, await settle(applying, report), { ...ended, status: 'done' })
}

/** An earlier Apply was cut short: finished or put back, as a person says, before anything else is done. */
async function settleUnfinished(applying: Applying, unfinished: UnfinishedApply): Promise<Next> {
  const { session, plan, sandbox } = applying
  const { ports } = session
  const settled = wayToSettle(session, plan, unfinished)
  if (settled === null || (await isHeldBack(applying, settled)))
    return ask(ports, cutApplyQuestion(plan, unfinished))
  const { way, verdict } = settled
  const passed = `${way} an Apply that was cut short`
  if (verdict) ports.store.transaction(() => recordPass(ports, plan, verdict, passed))
  return perform(applying, { settles: way }, () => sandbox.settleApply(way, session.signal))
}

/** Guards and rules may be others than when Apply began: what it writes by itself, they must let through by now. */
async function isHeldBack(
  { session, plan, changes }: Applying,
  { way, verdict }: WayToSettle,
): Promise<boolean> {
  if (verdict === null || way === 'undo') return false
  if (keepGuards(session, plan)) return true
  const enforced = await reconcileFor(session, plan)
  return (
    !enforced.ok || refusalByInvariants(session.ports, plan, enforced.value.active, changes.files) !== null
  )
}

async function settle(applying: Applying, report: ApplyReport | null): Promise<Next> {
  if (report === null) throw new Error('apply ended without a report')
  if (report.outcome === 'undone') return askAgain(applying, report)
  if (report.outcome === 'constrained') return constrained(applying, report.conflicts)
  const { plan, sandbox, cursor, changes } = applying
  const left = await sandbox.changes(report.state, cursor.sandboxState)
  // What was written stands, whatever is known of the rest.
  if (!left.ok) return askAboutRest(applying, report, changes)
  if (left.value.files.length > 0) return askAboutRest(applying, report, left.value)
  const notices = [...plan.notices, ...report.notices, ...(await keptFor(sandbox))]
  return {
    event: 'applied',
    reason: wordsFor(report),
    patch: { appliedState: report.state, left: null, notices },
  }
}

/** Why the sandbox outlives the plan, where it does. */
async function keptFor(sandbox: Sandbox): Promise<string[]> {
  const paths = (await sandbox.unrecorded()).join(', ')
  return paths === ''
    ? []
    : [
        `Too big to be recorded and not applied: ${paths}. The sandbox is kept for it; copy it from ${sandbox.root}.`,
      ]
}

type Applied = Extract<ApplyReport, { outcome: 'applied' }>
type Undone = Extract<ApplyReport, { outcome: 'undone' }>

/** The rest waits at a gate of its own, and the next attempt hears what was left. */
function askAboutRest({ session, plan }: Applying, report: Applied, left: ChangeSet): Next {
  const { ports } = session
  const paths = left.files.map(file => file.path).join(', ')
  const words = `Not applied so far: ${paths}`
  return {
    event: 'applied_in_part',
    reason: `applied in part: ${wordsFor(report)}, ${filesWord(left.files.length)} left`,
    patch: {
      appliedState: report.state,
      left: countChanges(left.files),
      guidance: [...plan.guidance, words],
      notices: [...plan.notices, ...report.notices],
    },
    commit: current => {
      recordGuidance(ports, current, {
        phase: 'execute',
        question: 'Which part is applied?',
        rationale: words,
        words: report.written.length > 0 ? report.written.join(', ') : wordsFor(report),
      })
      openGate(ports, current, {
        ...phaseQuestion(session, current, 'autoApply', left),
        reason: 'a part was applied; the rest is yours to decide',
      })
    },
  }
}

/** The files are as they were, so the question before Apply is open again. */
function askAgain({ session, changes }: Applying, { left }: Undone): Next {
  const kept = left.length === 0 ? '' : `; changed since, and left as they are: ${pathsOf(left)}`
  const reason = `the interrupted Apply was undone${kept}`
  return {
    event: 'apply_undone',
    reason,
    commit: current => {
      openGate(session.ports, current, { ...phaseQuestion(session, current, 'autoApply', changes), reason })
    },
  }
}

function pathsOf(places: readonly { readonly path: RelPath }[]): string {
  return places.map(({ path }) => path).join(', ')
}

function withStep(session: PlanSession, next: Next, ended: Parameters<typeof endStep>[2]): Next {
  return {
    ...next,
    commit: current => {
      endStep(session.ports, current, ended)
      next.commit?.(current)
    },
  }
}

interface Approval {
  /** Of what the person saw at the Apply gate; null when the profile passed it by itself. */
  readonly digest: string | null
  readonly part: ChosenPart | null
  /** What they were told with the question, line by line. */
  readonly summary: readonly string[]
}

/** The last answer counts; at a conflict a person may choose another part of what was approved before. */
function approvalOf({ ports, ...session }: PlanSession, plan: Plan): Approval {
  // An older gate was about another change set.
  const key = phaseKey({ ports, ...session }, plan, 'autoApply')
  let approval: Approval = { digest: null, part: null, summary: [] }
  for (const { requestKey, status, subject } of ports.store.gates.listByPlan(plan.planId)) {
    if (status.kind !== 'resolved') continue
    if (requestKey === key && subject.kind === 'phase')
      approval = {
        digest: subject.changesDigest,
        part: status.answer.part,
        summary: subject.summary.split('\n'),
      }
    else if (subject.kind === 'constrained' && requestKey.startsWith(`${plan.attempt}:constrained:`))
      approval = { ...approval, part: partAfterConflict(approval.part, status.answer, subject.others) }
  }
  return approval
}

function partAfterConflict(
  before: ChosenPart | null,
  { optionId, part }: { readonly optionId: string | null; readonly part: ChosenPart | null },
  others: Extract<ChosenPart, { kind: 'paths' }>['only'],
): ChosenPart | null {
  return optionId === 'rest' ? { kind: 'paths', only: others } : (part ?? before)
}

export function choiceOf(part: ChosenPart | null): ApplyChoice {
  if (part === null) return { kind: 'all' }
  if (part.kind === 'paths') return part
  return { kind: 'hunks', patch: Buffer.from(part.patchBase64, 'base64') }
}

function inputOf(part: ChosenPart | null): Record<string, unknown> {
  if (part === null) return {}
  return part.kind === 'paths' ? { only: part.only } : { hunks: 'chosen' }
}

/** What of the user's files is the plan's own work, for whoever takes it back. */
function outputOf(report: ApplyReport): Record<string, unknown> {
  return report.outcome === 'applied' ? { written: report.written, unchanged: report.unchanged } : {}
}

function wordsFor(report: ApplyReport): string {
  if (report.outcome === 'constrained') return `${report.conflicts.length} conflicts, nothing written`
  if (report.outcome === 'undone') return `${filesWord(report.restored.length)} put back`
  if (report.written.length > 0) return `${filesWord(report.written.length)} written`
  return 'nothing had to be written: your files were so already'
}

function filesWord(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`
}
