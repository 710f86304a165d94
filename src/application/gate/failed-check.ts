import type { Outcome, ValidateRequest } from '../../domain/actor/actor.ts'
import type { Verdict } from '../../domain/gate/confidence.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import type { Next } from '../plan/next.ts'
import { putOutcome, requestKey, type Turn, tell } from '../plan/turn.ts'
import { answerTo, ask } from './find-answer.ts'

export interface FailedCheck {
  readonly request: ValidateRequest
  readonly outcome: Extract<Outcome, { kind: 'validated' }>
  readonly verdict: Verdict
}

/** A required check failed and the profile does not let the actor fix it by itself. */
export function askAboutCheck(turn: Turn, failed: FailedCheck): Next {
  const { command } = failed.request
  return ask(turn.session.ports, {
    kind: 'validation_fix',
    requestKey: failureKey(turn),
    question: `${command} failed. What now?`,
    subject: { kind: 'validation', command, output: failed.outcome.message },
    options: [
      { id: 'again', label: 'Run it again', description: null, effect: 'approve' },
      {
        id: 'go_on',
        label: 'Go on without it',
        description: 'Your decision is recorded with the plan.',
        effect: 'approve',
      },
      {
        id: 'stop',
        label: 'Stop the plan here',
        description: 'Resume or correct it later.',
        effect: 'reject',
      },
    ],
    reason: null,
    confidence: failed.verdict,
  })
}

/** What a person said after the check failed; null = not asked yet, so the check runs. */
export function afterFailedCheck(turn: Turn, request: ValidateRequest): Next | null {
  const answer = answerTo(turn.session.ports, turn.plan, failureKey(turn))
  if (!answer) return null
  return answer.optionId === 'go_on' ? goOnWithout(turn, request, answer) : tell(turn, { kind: 'retry' })
}

function goOnWithout({ session, cursor }: Turn, request: ValidateRequest, answer: GateAnswer): Next {
  const message = `a person went on without it. ${answer.note ?? ''}`.trim()
  return {
    event: null,
    commit: plan => {
      recordGuidance(session.ports, plan, {
        phase: cursor.phase,
        question: `${request.command} failed. What now?`,
        rationale: answer.note ?? 'no reason given',
        words: 'Go on without it',
      })
      putOutcome(session, cursor, { kind: 'validated', result: 'not_run', exitCode: null, message })
    },
  }
}

function failureKey(turn: Turn): string {
  return `${requestKey(turn)}:validation`
}
