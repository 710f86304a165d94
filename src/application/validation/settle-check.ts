/** What follows from a check's result: the work goes on, the actor mends it, the strategy is revised, or a person decides. */
import { automationGates } from '../../domain/gate/automation.ts'
import type { Verdict } from '../../domain/gate/confidence.ts'
import type { GateAnswer, GateOption } from '../../domain/gate/gate.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import { recordInfluences } from '../decision/record-influences.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { endStep } from '../plan/journal-step.ts'
import { type Next, stay, withCommit } from '../plan/next.ts'
import { reviseStrategy } from '../plan/revise-strategy.ts'
import { guide, type Turn, tell } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { type CheckEnd, nameOf, type Validated } from './run-check.ts'

/** requested: its actor waits for the result. late: nobody asked; its actor hears only what it is to mend. */
export type WantedBy = 'requested' | 'late'

interface Circumstances {
  readonly fixable: boolean
  readonly by: WantedBy
}

export function settleCheck(
  { turn, step, outcome }: Extract<CheckEnd, { kind: 'ended' }>,
  circumstances: Circumstances,
): Next {
  const { ports } = turn.session
  const blocks = outcome.result === 'failed' && outcome.report?.mode === 'required'
  const next = blocks
    ? settleFailure({ turn, step, outcome, ...circumstances })
    : circumstances.by === 'late'
      ? stay
      : tell(turn, outcome)
  return {
    ...next,
    commit: plan => {
      recordInfluences(ports, plan, step)
      endStep(ports, plan, step)
      next.commit?.(plan)
    },
  }
}

interface Failed extends Circumstances {
  readonly turn: Turn
  readonly step: Step
  readonly outcome: Validated
}

/** Three counters, of which this is the one of fixes (requirements X-53): so often per check and attempt of the plan. */
function settleFailure(failed: Failed): Next {
  const { turn, outcome, fixable } = failed
  const { ports } = turn.session
  const fixes = fixesSoFar(ports, turn.plan, outcome)
  if (fixable && fixes >= turn.plan.action.maxFixAttempts) return reviseAfter(failed, fixes)
  const verdict = judgeOperation(ports, turn.plan, {
    gate: 'fixValidations',
    decisionType: 'validation_response',
    stated: null,
  })
  if (!verdict.passes || !fixable) return askWhatNow(failed, verdict)
  return withCommit(letFix(turn, outcome, { decidedBy: 'profile', verdict, note: null }), plan =>
    recordPass(ports, plan, verdict, automationGates.fixValidations.what),
  )
}

interface Response {
  readonly decidedBy: 'profile' | 'human'
  readonly verdict: Verdict | null
  readonly note: string | null
}

/** The actor hears what the check showed, and mends the work. Each time is a decision in the tree. */
function letFix(turn: Turn, outcome: Validated, response: Response): Next {
  const { ports } = turn.session
  const attempt = fixesSoFar(ports, turn.plan, outcome) + 1
  const report = outcome.report && { ...outcome.report, fixAttempt: attempt }
  const label = `Fix it, attempt ${attempt} of ${turn.plan.action.maxFixAttempts}`
  return withCommit(tell(turn, { ...outcome, report }), plan =>
    recordResponse(ports, plan, { turn, outcome, option: { id: FIX, label }, ...response }),
  )
}

const FIX = 'fix'

function recordResponse(
  ports: Ports,
  plan: Plan,
  given: Response & {
    readonly turn: Turn
    readonly outcome: Validated
    readonly option: { readonly id: string; readonly label: string }
  },
): void {
  const { turn, outcome, option, verdict, note, decidedBy } = given
  const { passes: _, ...confidence } = verdict ?? { passes: false, gate: null }
  recordDirectly(ports, plan, {
    type: 'validation_response',
    phase: 'execute',
    question: questionAbout(outcome),
    chosenOption: { ...option, rationale: null },
    rationale: note ?? outcome.message,
    parentDecisionId: turn.cursor.decisionId ?? rootOf(ports, plan),
    decidedBy,
    gateConfidence: confidence.gate === null ? null : confidence,
  })
}

function fixesSoFar({ store }: Ports, plan: Plan, outcome: Validated): number {
  const question = questionAbout(outcome)
  return store.decisions
    .listByPlan(plan.planId)
    .filter(
      each =>
        isActive(each) &&
        each.type === 'validation_response' &&
        each.chosenOption.id === FIX &&
        each.attempt === plan.attempt &&
        each.question === question,
    ).length
}

function questionAbout({ report, message }: Validated): string {
  return `${report ? nameOf(report) : message} failed. What now?`
}

const AGAIN: GateOption = { id: 'again', label: 'Run it again', description: null, effect: 'approve' }
const GO_ON: GateOption = {
  id: 'go_on',
  label: 'Go on without it',
  description: 'Your decision is recorded with the plan.',
  effect: 'approve',
}
const STOP: GateOption = {
  id: 'stop',
  label: 'Stop the plan here',
  description: 'Resume or correct it later.',
  effect: 'reject',
}

function reviseAfter({ turn, step, outcome }: Failed, fixes: number): Next {
  const name = outcome.report ? nameOf(outcome.report) : 'A check'
  return reviseStrategy(turn, {
    key: questionKey(step),
    constraint: `${name} still fails after ${fixes} ${fixes === 1 ? 'fix' : 'fixes'}`,
    subject: subjectOf(outcome),
    otherWays: [AGAIN, GO_ON],
  })
}

/** A person decides: the profile lets nobody mend it, or nobody could. */
function askWhatNow({ turn, step, outcome, fixable }: Failed, verdict: Verdict): Next {
  const { ports } = turn.session
  const fix: GateOption = {
    id: FIX,
    label: 'Let it be fixed',
    description: `Attempt ${fixesSoFar(ports, turn.plan, outcome) + 1} of ${turn.plan.action.maxFixAttempts}; the check runs again afterwards.`,
    effect: 'approve',
  }
  return ask(ports, {
    kind: 'validation_fix',
    requestKey: questionKey(step),
    question: questionAbout(outcome),
    subject: subjectOf(outcome),
    options: [...(fixable ? [fix] : []), AGAIN, GO_ON, STOP],
    reason: verdict.passes ? 'the action does not say how to fix it' : null,
    confidence: verdict,
  })
}

function subjectOf({ report, message }: Validated) {
  const output = [message, report?.output ?? ''].filter(Boolean).join('\n')
  return { kind: 'validation', command: report ? nameOf(report) : message, output } as const
}

function questionKey({ idempotencyKey }: Pick<Step, 'idempotencyKey'>): string {
  return `${idempotencyKey}:validation`
}

/** What a person said after this run of the check failed; null = not asked, so the check runs. */
export function answered(turn: Turn, step: Step, { fixable, by }: Circumstances): Next | null {
  const answer = answerTo(turn.session.ports, turn.plan, questionKey(step))
  const { outcome } = step
  if (!answer || outcome?.kind !== 'validated') return null
  if (answer.decision === 'request_changes') return guide(turn, questionAbout(outcome), answer)
  // A plan that ended with a refusal and is resumed has no leave to do what was refused.
  const isApproved = answer.decision === 'approve'
  if (isApproved && answer.optionId === 'go_on') return goOnWithout(turn, outcome, { answer, by })
  if (isApproved && (answer.optionId === FIX || (answer.optionId === null && fixable)))
    return letFix(turn, outcome, { decidedBy: 'human', verdict: null, note: answer.note })
  return by === 'late' ? null : tell(turn, { kind: 'retry' })
}

function goOnWithout(
  turn: Turn,
  outcome: Validated,
  { answer, by }: { readonly answer: GateAnswer; readonly by: WantedBy },
): Next {
  const message = `a person went on without it. ${answer.note ?? ''}`.trim()
  const next = by === 'late' ? stay : tell(turn, { ...outcome, result: 'not_run', exitCode: null, message })
  return withCommit(next, plan =>
    recordGuidance(turn.session.ports, plan, {
      phase: 'execute',
      question: questionAbout(outcome),
      rationale: answer.note ?? 'no reason given',
      words: GO_ON.label,
    }),
  )
}

/** Checks that a person went on without, in the present attempt of the plan. */
export function waivedChecks({ store }: Ports, plan: Plan): ReadonlySet<string> {
  const gates = store.gates.listByPlan(plan.planId).filter(({ subject, status }) => {
    return subject.kind === 'validation' && status.kind === 'resolved' && status.answer.optionId === 'go_on'
  })
  return new Set(
    gates.flatMap(({ subject, requestKey }) =>
      subject.kind === 'validation' && requestKey.startsWith(`${plan.planId}:${plan.attempt}:`)
        ? [subject.command]
        : [],
    ),
  )
}
