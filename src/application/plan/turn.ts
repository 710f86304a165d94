/** One request of a plan's actor on its way to an answer: what every step of settling it works with. */
import type { Outcome } from '../../domain/actor/actor.ts'
import type { Failure } from '../../domain/failure.ts'
import type { GateAnswer } from '../../domain/gate/gate.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { recordGuidance } from '../decision/record-guidance.ts'
import { type Next, stay } from './next.ts'
import type { PlanSession } from './session.ts'

export interface Turn {
  readonly session: PlanSession
  readonly plan: Plan
  readonly cursor: Cursor
}

/** Names the request that the actor waits on; gates and journal rows carry it. */
export function requestKey({ plan, cursor }: Pick<Turn, 'plan' | 'cursor'>): string {
  return `${plan.planId}:${plan.attempt}:${cursor.phase}:${cursor.turn}`
}

/** The request is answered: the actor's next turn is due. */
export function tell({ session, cursor }: Turn, outcome: Outcome): Next {
  return { event: null, commit: () => putOutcome(session, cursor, outcome) }
}

/** A refused call goes back to the actor as text it can act on. */
export function tellFailure(turn: Turn, failure: Failure): Next {
  return turn.session.signal.aborted ? stay : tell(turn, { kind: 'tool_refused', failure })
}

/** The actor hears what a person wants changed; its next request is a new revision. */
export function guide({ session, cursor }: Turn, question: string, answer: GateAnswer): Next {
  const guidance = answer.guidance ?? ''
  return {
    event: null,
    commit: plan => {
      const rationale = 'changes were requested at the gate'
      recordGuidance(session.ports, plan, { phase: cursor.phase, question, rationale, words: guidance })
      putOutcome(session, cursor, { kind: 'guided', guidance })
    },
  }
}

/** Call it inside a transaction. */
export function putOutcome(session: PlanSession, cursor: Cursor, outcome: Outcome): void {
  session.ports.store.cursors.put({ ...cursor, pending: null, outcome })
}
