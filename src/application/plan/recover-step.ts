/** What is done about a step that failed although nothing was wrong with what was asked: T10 and T11 of the lifecycle. */
import { type Failure, failureCodes } from '../../domain/failure.ts'
import { automationGates } from '../../domain/gate/automation.ts'
import type { TouchKind, Verdict } from '../../domain/gate/confidence.ts'
import type { GateOption } from '../../domain/gate/gate.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { COMMAND_TOOL, type Tool, type ToolContext } from '../../domain/tool.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { answerTo, ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { touchOf } from '../gate/touches.ts'
import type { Ports } from '../ports.ts'
import { endStep } from './journal-step.ts'
import { type Next, withCommit } from './next.ts'
import { describe } from './resume-gate.ts'
import { worksInPlace } from './sandbox-facts.ts'
import { requestKey, type Turn } from './turn.ts'

interface FailedStep {
  readonly turn: Turn
  readonly tool: Tool
  readonly network: ToolContext['network']
  readonly step: Step
  readonly failure: Failure
}

/** Null: the failure goes to the actor, who may find another way. */
export function recoverStep(failed: FailedStep): Next | null {
  const next = isTransient(failed.failure) ? askToRetry(failed) : null
  return next ?? restore(failed)
}

/** Of a kind that another try may pass, and not because somebody stopped it. */
export function isTransient({ code }: Failure): boolean {
  return failureCodes[code].retryHelps && code !== 'interrupted'
}

export function judgeRetry({ session, plan }: Turn, touches: readonly TouchKind[]): Verdict {
  const { ports } = session
  return judgeOperation(ports, plan, { gate: 'retryTransient', decisionType: null, stated: null, touches })
}

export function touchesOf({ session, plan }: Turn, tool: Tool): readonly TouchKind[] {
  return [touchOf(session.ports, plan, { tool: tool.name, network: false })]
}

/** Tries that pass by themselves were made while the step ran; here nobody lets them pass. */
function askToRetry(failed: FailedStep): Next | null {
  const { turn, tool } = failed
  const verdict = judgeRetry(turn, touchesOf(turn, tool))
  if (verdict.passes) return null
  const words = {
    question: 'Try it again?',
    option: 'Try again',
    description: 'Its partial work is undone first.',
  }
  return askAbout(failed, 'retry', { ...words, verdict, reason: null })
}

/**
 * A writing step that failed half-way begins again from the state before it. Together with retries it counts as the
 * step's tries (requirements X-53). What was sent over the network is never sent twice unasked.
 */
function restore(failed: FailedStep): Next | null {
  const { turn, network } = failed
  const { ports } = turn.session
  if (!mayBeHalfDone(failed)) return null
  const verdict = judgeOperation(ports, turn.plan, {
    gate: 'restoreCheckpoint',
    decisionType: null,
    stated: null,
  })
  const tries = restoresSoFar(ports, turn.plan, failed.step)
  const limit = turn.plan.profile.safety.maxRetriesPerStep
  if (verdict.passes && tries < limit && network === 'none') return beginAgain(failed, verdict, tries + 1)
  const words = {
    question: 'Go back to the state before it and try again?',
    option: 'Restore and try again',
    description: 'The sandbox returns to its state before the step; your own files are not touched.',
  }
  const reason =
    verdict.passes && tries >= limit ? `it was tried again as often as it may be by itself: ${tries}` : null
  return askAbout(failed, 'restore', { ...words, verdict, reason })
}

function mayBeHalfDone({ turn, tool, failure }: FailedStep): boolean {
  const isCut = isTransient(failure) || (tool.name === COMMAND_TOOL && failure.code === 'step_failed')
  return tool.capability.writes && isCut && !worksInPlace(turn.session.ports, turn.plan)
}

const RESTORED = 'restore'

function restoresSoFar({ store }: Ports, plan: Plan, step: Step): number {
  return store.decisions
    .listByPlan(plan.planId)
    .filter(
      each =>
        isActive(each) &&
        each.type === 'error_recovery' &&
        each.chosenOption.id === RESTORED &&
        each.attempt === plan.attempt &&
        each.question === questionOf(step),
    ).length
}

function questionOf(step: Step): string {
  return `${describe(step)} failed. What now?`
}

/** Each time is a decision in the tree. The step's own row begins from the restored state. */
function beginAgain(failed: FailedStep, verdict: Verdict, attempt: number): Next {
  const { turn, step, failure } = failed
  const { ports } = turn.session
  const { passes: _, ...gateConfidence } = verdict
  return withCommit(
    { event: 'restored', reason: `${describe(step)} begins again from the state before it` },
    plan => {
      endFailed(ports, plan, failed)
      recordPass(ports, plan, verdict, automationGates.restoreCheckpoint.what)
      recordDirectly(ports, plan, {
        type: 'error_recovery',
        phase: 'execute',
        question: questionOf(step),
        chosenOption: {
          id: RESTORED,
          label: `Restore the state before it and try again, ${attempt} of ${plan.profile.safety.maxRetriesPerStep}`,
          rationale: null,
        },
        rationale: failure.message,
        parentDecisionId: turn.cursor.decisionId ?? rootOf(ports, plan),
        decidedBy: 'profile',
        gateConfidence,
      })
    },
  )
}

interface Words {
  readonly question: string
  readonly option: string
  readonly description: string
  readonly verdict: Verdict
  readonly reason: string | null
}

function askAbout(failed: FailedStep, kind: 'retry' | 'restore', words: Words): Next {
  const { turn, step, failure } = failed
  const asked = askAgain(turn, kind, { step, failure, ...words })
  return withCommit(asked, plan => endFailed(turn.session.ports, plan, failed))
}

interface Failing extends Words {
  readonly step: Step
  readonly failure: Failure
}

/** Puts a failed step to a person: once more, or the end. */
export function askAgain(turn: Turn, kind: 'retry' | 'restore', failing: Failing): Next {
  const { step, failure, ...words } = failing
  const again: GateOption = {
    id: 'again',
    label: words.option,
    description: words.description,
    effect: 'approve',
  }
  const stop: GateOption = {
    id: 'stop',
    label: 'Give up',
    description: 'The plan ends as failed; it can still be resumed or corrected.',
    effect: 'reject',
  }
  return ask(turn.session.ports, {
    kind,
    requestKey: recoveryKey(turn, asksSoFar(turn)),
    question: `${describe(step)} failed: ${failure.message} ${words.question}`,
    subject: { kind: 'error', step: step.path, message: failure.message },
    options: [again, stop],
    reason: words.reason,
    confidence: words.verdict,
  })
}

function endFailed(ports: Ports, plan: Plan, { step, failure }: FailedStep): void {
  const outcome = { kind: 'tool_refused', failure } as const
  endStep(ports, plan, {
    ...step,
    status: 'failed',
    outcome,
    summary: failure.message,
    read: [],
    written: 'unknown',
  })
}

function recoveryKey(turn: Turn, asked: number): string {
  return `${requestKey(turn)}:recovery:${asked}`
}

function asksSoFar(turn: Turn): number {
  const key = `${requestKey(turn)}:recovery:`
  return turn.session.ports.store.gates
    .listByPlan(turn.plan.planId)
    .filter(each => each.requestKey.startsWith(key)).length
}

/** A person let the step begin again, whatever it had left behind. */
export function isAllowedAgain(turn: Turn): boolean {
  const asked = asksSoFar(turn)
  if (asked === 0) return false
  return answerTo(turn.session.ports, turn.plan, recoveryKey(turn, asked - 1))?.decision === 'approve'
}
