/**
 * The pure step function of recipes: from a state and what came of the last request to the next request. It performs
 * nothing, knows no clock and no chance; equal inputs give equal requests. Begin with `nextRecipeTurn`.
 */
import type { ActorRequest, Brief, Outcome } from './actor.ts'
import type { RecipeProgram, Visit } from './recipe-reading.ts'
import { settle } from './recipe-settle.ts'
import { hearBrief } from './recipe-start.ts'
import { type RecipeState, stepAt } from './recipe-state.ts'
import { failed, visitStep } from './recipe-visit.ts'

export interface RecipeTurn {
  readonly state: RecipeState
  readonly request: ActorRequest
}

/**
 * A state that was returned with a request still stands at that request's step: with the outcome `none` the request is
 * made again, with `guided` it is made under the guidance. A revert resumes from the state returned with the decision.
 */
export function nextRecipeTurn(
  program: RecipeProgram,
  state: RecipeState,
  outcome: Outcome,
  brief: Brief,
): RecipeTurn {
  const settled = settle({ program, state, brief }, outcome)
  return proceed({ program, state: hearBrief(program, settled, brief), brief })
}

/** Walks over the steps that need nobody, up to the first that does. */
function proceed(start: Visit): RecipeTurn {
  for (let visit = start; ; ) {
    const { state } = visit
    if (state.stopped) return { state, request: failed(state, state.stopped) }
    const move = visitStep(visit, stepAt(visit.program.recipe, state))
    if (move.kind !== 'recipe') return { state, request: move }
    visit = { ...visit, state: move }
  }
}
