import { refuse } from '../../domain/failure.ts'
import { type AutomationGate, automationGates } from '../../domain/gate/automation.ts'
import type { Verdict } from '../../domain/gate/confidence.ts'
import type { GateOption } from '../../domain/gate/gate.ts'
import { APPLY_OPERATION, type GuardVerdict } from '../../domain/guards/guard.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { type ChangeSet, countChanges } from '../../domain/sandbox/changeset.ts'
import { appendedTo } from '../children/append-child.ts'
import { editsInWords, lookAtProject } from '../drift/look-at-project.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { comparison, type Question } from '../gate/open-gate.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { planTouches } from '../gate/touches.ts'
import { askUnderGuard } from '../guards/guard-approval.ts'
import { judgeApply } from '../guards/judge-tool-call.ts'
import { refusalByInvariants, rulesFor } from '../invariant/broken-rules.ts'
import { reconcileFor } from '../invariant/enforce.ts'
import { newLine } from '../invariant/tighter.ts'
import { checksDue } from '../validation/due-checks.ts'
import { fromOf } from './base-state.ts'
import type { Next } from './next.ts'
import { worksInPlace } from './sandbox-facts.ts'
import type { PlanSession } from './session.ts'

type Ported = Pick<PlanSession, 'ports'>

const STEPS = {
  autoStrategize: { from: 'the start', to: 'Strategize', ask: 'Start planning?' },
  autoExecute: { from: 'Strategize', to: 'Execute', ask: 'Carry out this strategy?' },
  autoApply: { from: 'Execute', to: 'Apply', ask: 'Apply these changes to your files?' },
} as const

const IN_PLACE = 'These changes are in your files already: this plan has no sandbox. Accept them as done?'

/** May the plan go on to its next phase by itself? If not, the phase gate opens. */
export async function decidePhase(session: PlanSession, plan: Plan, gate: AutomationGate): Promise<Next> {
  if (gate !== 'autoApply') return passOrAsk(session, plan, gate, null, [])
  // Appended while the last step of Execute ran.
  if (appendedTo(session.ports, plan)) return { event: 'appended', reason: 'a child plan was appended' }
  if (plan.appliesTo === 'parent') return handOver(session, plan)
  const changes = await changesOf(session, plan)
  if (!changes) return nothingToApply(plan)
  if (!changes.ok)
    return askAboutFailure(session, `${plan.attempt}:changes`, 'reading the changes', changes.failure)
  if (changes.value.files.length === 0)
    return (await askAboutUnrecorded(session, plan)) ?? nothingToApply(plan)
  const due = checksDue(session.ports, plan)
  if (due) return due
  const kept = await keepsInvariants(session, plan, changes.value)
  if ('event' in kept) return kept
  const notes = [await meanwhile(session, plan), ...kept.notes].filter(each => each !== null)
  return passOrAsk(session, plan, gate, changes.value, notes)
}

/** Broken rules keep it from being applied, as a failed check does; what was added meanwhile is told with the question. */
async function keepsInvariants(
  session: PlanSession,
  plan: Plan,
  { files }: ChangeSet,
): Promise<Next | { readonly notes: readonly string[] }> {
  const enforced = await reconcileFor(session, plan)
  const refused = enforced.ok
    ? refusalByInvariants(session.ports, plan, enforced.value.active, files)
    : enforced.failure
  if (refused) return askAboutFailure(session, `${plan.attempt}:rules`, 'Apply', refused)
  return { notes: enforced.ok ? enforced.value.tighter.map(newLine) : [] }
}

/** Its parent merges it when its turn comes; only the whole of both is asked about before Apply. */
async function handOver(session: PlanSession, plan: Plan): Promise<Next> {
  const hasWork = session.ports.store.cursors.get(plan.planId) !== null
  const asked = hasWork ? await askAboutUnrecorded(session, plan) : null
  return (
    asked ??
    (hasWork ? await askAboutRules(session, plan) : null) ?? {
      event: 'handed_over',
      reason: 'ready to be merged into its parent',
    }
  )
}

/** A child keeps the rules of its own action before its work goes into its parent's. */
async function askAboutRules(session: PlanSession, plan: Plan): Promise<Next | null> {
  const enforced = await reconcileFor(session, plan)
  const isMeasured = !enforced.ok || rulesFor(plan, enforced.value.active).length > 0
  const changes = isMeasured ? await changesOf(session, plan) : null
  if (!changes?.ok) return null
  const kept = await keepsInvariants(session, plan, changes.value)
  return 'event' in kept ? kept : null
}

function nothingToApply(plan: Plan): Next {
  const reason = plan.appliedState === null ? 'nothing to apply' : 'nothing is left to apply'
  return { event: 'nothing_to_apply', reason, patch: { left: null } }
}

/** A plan that ended here would lose what it wrote to files that are in no state. */
async function askAboutUnrecorded(session: PlanSession, plan: Plan): Promise<Next | null> {
  const sandbox = await session.sandbox()
  if (!sandbox.ok)
    return askAboutFailure(session, `${plan.attempt}:apply`, 'opening the sandbox', sandbox.failure)
  const paths = await sandbox.value.unrecorded()
  if (paths.length === 0) return null
  const { failure } = refuse(
    'not_available',
    `The plan wrote to ${paths.join(', ')}, too big to be recorded, so Apply cannot bring that home. Copy it from ${sandbox.value.root} into ${plan.project.root} yourself, then try again.`,
    { paths },
  )
  return askAboutFailure(session, `${plan.attempt}:unrecorded`, 'Apply', failure)
}

/** What of the plan's change set is not in the user's files; null when it can have none. */
async function changesOf(session: PlanSession, plan: Plan) {
  const cursor = session.ports.store.cursors.get(plan.planId)
  if (plan.action.readOnly || !cursor) return null
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  return sandbox.value.changes(fromOf(plan, cursor, sandbox.value), cursor.sandboxState)
}

/** What the user did to their own files since, in words; Apply itself looks again, so a failure to look is no matter. */
async function meanwhile(session: PlanSession, plan: Plan): Promise<string | null> {
  const cursor = session.ports.store.cursors.get(plan.planId)
  const sandbox = cursor ? await session.sandbox() : null
  if (!cursor || !sandbox?.ok) return null
  const edits = await lookAtProject(session.ports, plan, cursor, sandbox.value)
  return edits.ok && edits.value ? editsInWords(edits.value) : null
}

function passOrAsk(
  session: PlanSession,
  plan: Plan,
  gate: AutomationGate,
  changes: ChangeSet | null,
  notes: readonly string[],
): Next {
  const verdict = verdictOn(session, plan, gate)
  const guarded = gate === 'autoApply' ? judgeApply(session.ports, plan) : null
  const isStopped = guarded?.allowed === false
  if (verdict.passes && !isStopped)
    return {
      event: 'phase_passed',
      commit: moved => recordPass(session.ports, moved, verdict, automationGates[gate].what),
    }
  const question = phaseQuestion(session, plan, gate, changes)
  if (question.subject.kind !== 'phase') return ask(session.ports, question)
  const summary = [question.subject.summary, ...notes].join('\n')
  const shown = { ...question, subject: { ...question.subject, summary } }
  return guarded && isStopped
    ? askUnderGuard(session.ports, APPLY_OPERATION, guarded, underGuard(plan, shown, verdict, guarded))
    : ask(session.ports, shown)
}

/** One question settles both the profile's and the guard's; the guard's alone where the profile has none. */
function underGuard(plan: Plan, question: Question, verdict: Verdict, { reason }: GuardVerdict): Question {
  if (verdict.passes) return { ...question, kind: 'guard', reason }
  return { ...question, reason: `${comparison(verdict, plan.profile.name)}; ${reason}` }
}

/** The question before a phase. Of a plan that was applied in part, Apply asks about the rest. */
export function phaseQuestion(
  session: Ported,
  plan: Plan,
  gate: AutomationGate,
  changes: ChangeSet | null,
): Question {
  const { from, to, ask: question } = stepsOf(gate)
  const isRest = gate === 'autoApply' && plan.appliedState !== null
  const inPlace = gate === 'autoApply' && worksInPlace(session.ports, plan)
  return {
    kind: 'phase',
    requestKey: phaseKey(session, plan, gate),
    question: isRest ? 'Apply the rest of these changes to your files?' : inPlace ? IN_PLACE : question,
    subject: {
      kind: 'phase',
      from,
      to,
      changesDigest: changes?.digest ?? null,
      summary: summaryOf(session, plan, changes),
      strategy: gate === 'autoExecute' ? plan.strategy : null,
    },
    options: isRest
      ? REST_OPTIONS
      : [{ id: 'go', label: `Go on to ${to}`, description: null, effect: 'approve' }],
    reason: null,
    confidence: verdictOn(session, plan, gate),
  }
}

const REST_OPTIONS: readonly GateOption[] = [
  { id: 'go', label: 'Apply the rest', description: null, effect: 'approve' },
  {
    id: 'leave',
    label: 'Leave the rest',
    description: 'The plan ends as applied in part; what was left stays readable as its diff.',
    effect: 'reject',
  },
]

function stepsOf(gate: AutomationGate) {
  if (gate === 'autoStrategize' || gate === 'autoExecute' || gate === 'autoApply') return STEPS[gate]
  throw new Error(`${gate} is not a phase gate`)
}

/** Names the question about one finished phase. */
export function phaseKey(session: Ported, plan: Plan, gate: AutomationGate): string {
  const key = `${plan.attempt}:${gate}:${session.ports.store.cursors.get(plan.planId)?.turn ?? 0}`
  // Once a part is applied the question is another one.
  return gate === 'autoApply' && plan.appliedState !== null ? `${key}:${plan.appliedState}` : key
}

/** A phase is as sure as its least sure decision (requirements GAP-08). */
function verdictOn(session: Ported, plan: Plan, gate: AutomationGate): Verdict {
  const finished = plan.position.startsWith('strategize') ? 'strategize' : 'execute'
  const confidences = session.ports.store.decisions
    .listByPlan(plan.planId)
    .filter(decision => isActive(decision) && decision.phase === finished)
    .flatMap(decision => (decision.decidedBy === 'human' ? [] : (decision.gateConfidence?.effective ?? [])))
  const stated = confidences.length > 0 ? Math.min(...confidences) : null
  const touches = planTouches(session.ports, plan, gate === 'autoApply' ? 'done' : 'planned')
  return judgeOperation(session.ports, plan, { gate, decisionType: null, stated, touches })
}

function summaryOf(session: Ported, plan: Plan, changes: ChangeSet | null): string {
  if (changes) {
    const { files, additions, deletions } = countChanges(changes.files)
    const what = `${files} ${files === 1 ? 'file' : 'files'}, +${additions} -${deletions}`
    return plan.appliedState === null
      ? `${what} in ${plan.project.root}`
      : `${what} left for ${plan.project.root}; a part is in your files already`
  }
  // Those of Execute were kept through a correction; they are not what is asked about.
  const decisions = session.ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => isActive(each) && each.key !== null && each.phase === 'strategize')
  if (decisions.length === 0) return goalOf(plan)
  return decisions.map(decision => `${decision.question} → ${decision.chosenOption.label}`).join('\n')
}

/** What a person approves before anything was decided: the goal with everything that was said about it. */
function goalOf(plan: Plan): string {
  const args = Object.entries(plan.args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return [plan.action.description, ...args, ...plan.guidance].join('\n')
}
