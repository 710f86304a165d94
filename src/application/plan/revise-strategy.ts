import { refuse } from '../../domain/failure.ts'
import { automationGates } from '../../domain/gate/automation.ts'
import type { GateOption, GateSubject } from '../../domain/gate/gate.ts'
import { anotherAttempt, MAX_REVERSIONS } from '../../domain/plan/plan.ts'
import { askAboutFailure } from '../gate/ask-about-failure.ts'
import { ask } from '../gate/find-answer.ts'
import { judgeOperation } from '../gate/judge-operation.ts'
import { recordPass } from '../gate/record-judgement.ts'
import type { Next } from './next.ts'
import type { Turn } from './turn.ts'

export interface Revision {
  /** Names the question. */
  readonly key: string
  /** Why the strategy cannot be carried out. */
  readonly constraint: string
  readonly subject: GateSubject
  /** What a person may choose instead of planning anew. */
  readonly otherWays: readonly GateOption[]
}

/** T8: the strategy is found impossible. Bounded, so that a plan cannot go back and forth for ever. */
export function reviseStrategy(turn: Turn, { key, constraint, subject, otherWays }: Revision): Next {
  const { session, plan } = turn
  const { ports } = session
  if (plan.position === 'strategize/running') {
    const failure = refuse('step_failed', `The actor gave up: ${constraint}`, { constraint }).failure
    return askAboutFailure(session, key, 'the strategy', failure)
  }
  const verdict = judgeOperation(ports, plan, { gate: 'reviseStrategy', decisionType: null, stated: null })
  const isAtLimit = plan.reversions >= MAX_REVERSIONS
  if (verdict.passes && !isAtLimit)
    return {
      event: 'strategy_revised',
      reason: constraint,
      patch: anotherAttempt(plan, constraint),
      commit: current => recordPass(ports, current, verdict, automationGates.reviseStrategy.what),
    }
  return ask(ports, {
    kind: 'strategy_revision',
    requestKey: key,
    question: `The strategy cannot be carried out: ${constraint}. Plan anew?`,
    subject,
    options: [REVISE, ...otherWays, STOP],
    reason: isAtLimit ? limitWords(plan.reversions) : null,
    confidence: verdict,
  })
}

/** Why a person is asked although the profile would let it pass. */
export function limitWords(reversions: number): string {
  return `the plan went back to Strategize ${reversions} times, which is as often as it may by itself`
}

const REVISE: GateOption = {
  id: 'revise',
  label: 'Go back to Strategize',
  description: 'Work so far is undone.',
  effect: 'approve',
}
const STOP: GateOption = {
  id: 'stop',
  label: 'Stop the plan here',
  description: 'Resume or correct it later.',
  effect: 'reject',
}
