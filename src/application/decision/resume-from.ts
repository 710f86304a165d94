/** Where an actor goes on once a decision was corrected, and what it hears there. */
import type { Decision, DecisionOption } from '../../domain/decision/decision.ts'
import type { Correction, Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import type { PlannedCorrection } from './plan-correction.ts'

/**
 * The actor decides again from the state it was in then, and hears the guidance with its brief, which it keeps: when
 * another decision is corrected later, it asks for this one with the same guidance, and so finds it as it was decided.
 */
export function resumedFrom(
  ports: Ports,
  { target, resumeAt, goal }: PlannedCorrection,
  { correctionId }: Correction,
): Cursor {
  const { planId, standing } = resumeAt
  return {
    planId,
    phase: resumeAt.phase === 'execute' ? 'execute' : 'strategize',
    stateRef: stateToResume(resumeAt),
    pending: null,
    outcome: { kind: 'none' },
    turn: ports.store.cursors.get(planId)?.turn ?? 0,
    // Under which decision the actor works until it has decided.
    decisionId: ports.store.decisions.findReachedBefore(planId, standing.place)?.decisionId ?? null,
    underKept: false,
    sandboxState: goal.state,
    written: [],
    base: goal.base,
    correction: { correctionId, correctsDecisionId: target.decisionId },
  }
}

export function stateToResume({ number, standing }: Decision): string {
  if (standing.actorStateRef === null) throw new Error(`#${number} is kept and was not reached again`)
  return standing.actorStateRef
}

export function guidanceAfter(
  { guidance }: Plan,
  { target }: PlannedCorrection,
  correction: Correction,
): Plan['guidance'] {
  const named = optionNamed(target, correction.guidance)
  // As a pair it belongs to that decision alone.
  return [...guidance, named && target.key !== null ? `${target.key}=${named.id}` : correction.guidance]
}

/** Guidance that names one of the options is told by that option's label. */
export function wordsFor(target: Decision, guidance: string): string {
  return optionNamed(target, guidance)?.label ?? guidance
}

function optionNamed({ chosenOption, alternatives }: Decision, words: string): DecisionOption | undefined {
  const options = [chosenOption, ...alternatives]
  return options.find(option => option.id === words) ?? options.find(option => option.label === words)
}
