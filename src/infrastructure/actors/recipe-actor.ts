import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import { nextRecipeTurn } from '../../domain/actor/recipe.ts'
import { startRecipe } from '../../domain/actor/recipe-start.ts'
import { readRecipeState } from '../../domain/actor/recipe-state.ts'
import { type Result, refuse } from '../../domain/failure.ts'

export const RECIPE_ACTOR = 'builtin/recipe'

/** The embedded default: plays the steps written in the action's own file. No model, no network. */
export function createRecipeActor(action: Action, expressions: ExpressionEvaluator): Result<Actor> {
  const { recipe } = action
  if (!recipe)
    return refuse('invalid_input', `${action.name} names the actor ${RECIPE_ACTOR} but has no recipe.`, {
      action: action.name,
    })
  const program = { recipe, arguments: action.arguments, expressions }
  const actor: Actor = {
    name: RECIPE_ACTOR,
    wantsContext: false,
    start: brief => startRecipe(program, brief),
    next: async (state, outcome, { brief, signal }) => {
      signal.throwIfAborted()
      return nextRecipeTurn(program, readRecipeState(state), outcome, brief)
    },
  }
  return { ok: true, value: actor }
}
