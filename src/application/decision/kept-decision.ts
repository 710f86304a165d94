import type { DecisionRequest, KeptDecision } from '../../domain/actor/actor.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import { isAnswer, isAskedAlike, isSameStep, type StepRequest } from '../../domain/decision/kept.ts'
import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Next } from '../plan/next.ts'
import { putOutcome, type Turn, tell } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { isOutdated } from './answered-in-view.ts'
import { letGo } from './let-go.ts'
import { recordRests } from './record-influences.ts'

/** The actor comes again to a decision that a correction kept; null where it asks for any other. */
export function meetKept(turn: Turn, request: DecisionRequest): Promise<Next> | Next | null {
  const { ports, planId } = turn.session
  const found = ports.store.decisions.findActiveByKey(planId, request.key)
  if (found?.standing.actorStateRef !== null || found.phase !== turn.cursor.phase) return null
  if (isAskedAlike(found, request)) return comeAgain(turn, found, request)
  return letGo(turn, [
    { decisionId: found.decisionId, why: 'it is asked for differently since the correction' },
  ])
}

/** It is answered as it was decided. Nobody is asked, and nothing is recorded but where it stands. */
function comeAgain({ session, cursor }: Turn, kept: Decision, request: DecisionRequest): Next {
  const { ports } = session
  const { decisionId, chosenOption } = kept
  return {
    event: null,
    commit: plan => {
      const { decisions } = ports.store
      const place = decisions.nextPlace(plan.planId)
      decisions.setStanding(decisionId, { place, actorStateRef: cursor.stateRef })
      recordRests(ports, plan, kept, request)
      const outcome = { kind: 'decided', decisionId, optionId: chosenOption.id } as const
      putOutcome(session, { ...cursor, decisionId, underKept: true }, outcome)
    },
  }
}

/**
 * A step that was done before the correction, under a decision that was kept, is answered from the journal: it does not
 * run again. Null where it was not done: the correction came in the middle of that work, which goes on.
 */
export function answerFromJournal(turn: Turn, request: StepRequest): Promise<Next> | Next | null {
  const { session, cursor } = turn
  const { decisionId, underKept } = cursor
  if (decisionId === null || !underKept) return null
  const step = session.ports.store.steps.lastUnder(decisionId, request.step)
  const answer = step && isAnswer(step, request) ? step.outcome : null
  if (!step || (answer === null && !drivesChildren(step))) return null
  if (step.kind === 'ask' && isOutdated(session.ports, step)) return null
  if (isSameStep(step, request)) return answer && tell(turn, answer)
  return letGo(turn, [
    { decisionId, why: `its step ${request.step} is asked for differently since the correction` },
  ])
}

/** Its children go on while other decisions are taken again, and are driven on when the actor comes by. */
function drivesChildren({ kind, status }: Step): boolean {
  return kind === 'spawn' && (status === 'authorised' || status === 'started')
}

/** What an actor is told about the decisions that it is still to come by. */
export function keptIn(
  { store }: Ports,
  { planId, phase }: Pick<Cursor, 'planId' | 'phase'>,
): KeptDecision[] {
  return store.decisions.listKept(planId).flatMap(each => {
    if (each.key === null || each.phase !== phase) return []
    const { decisionId, key, type, question, chosenOption, alternatives } = each
    const done = store.steps.listByDecision(decisionId).map(step => step.summary)
    const options = [chosenOption, ...alternatives]
    const chosen = chosenOption.id
    return [{ key, type, question, options, proposed: each.proposed ?? chosen, chosen, done }]
  })
}
