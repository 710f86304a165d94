import type { Failure } from '../../domain/failure.ts'
import { type Next, stay } from '../plan/next.ts'
import type { PlanSession } from '../plan/session.ts'
import { ask } from './find-answer.ts'

/** T21: a failure that no rule handles is a question, not an end. */
export function askAboutFailure(session: PlanSession, key: string, where: string, failure: Failure): Next {
  // What fails because it was stopped has not failed; it is done again when the plan goes on.
  if (session.signal.aborted) return stay
  return ask(session.ports, {
    kind: 'error',
    requestKey: `${key}:error`,
    question: `${where} failed: ${failure.message}`,
    subject: { kind: 'error', step: where, message: failure.message },
    options: [
      { id: 'retry', label: 'Try again', description: null, effect: 'approve' },
      {
        id: 'stop',
        label: 'Give up',
        description: 'The plan ends as failed; it can still be resumed or corrected.',
        effect: 'reject',
      },
    ],
    reason: 'no automatic rule handles this failure',
    confidence: null,
  })
}
