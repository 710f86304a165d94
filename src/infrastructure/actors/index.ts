/**
 * The actor kinds, by the name an action gives them. An actor decides and requests; it knows no disk, no store and no
 * gate. Begin with `actorFor`.
 */
import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { suggest } from '../../domain/nearest.ts'
import { createRecipeActor, RECIPE_ACTOR } from './recipe-actor.ts'

export interface ActorSurroundings {
  readonly expressions: ExpressionEvaluator
}

type ActorKind = (action: Action, surroundings: ActorSurroundings) => Result<Actor>

const actorKinds: Readonly<Record<string, ActorKind>> = {
  [RECIPE_ACTOR]: (action, { expressions }) => createRecipeActor(action, expressions),
}

export const actorNames: readonly string[] = Object.keys(actorKinds)

/** The actor that plays a role of an action. A name stands for exactly one kind; nothing falls back to another. */
export function actorFor(name: string, action: Action, surroundings: ActorSurroundings): Result<Actor> {
  const kind = Object.hasOwn(actorKinds, name) ? actorKinds[name] : undefined
  if (kind) return kind(action, surroundings)
  if (isModelName(name))
    return refuse(
      'not_available',
      `${action.name} needs the model actor ${name}, and model actors are not available yet. ` +
        `Use an action that runs on ${RECIPE_ACTOR}: \`agents action list\` shows them.`,
      { actor: name, action: action.name },
    )
  return refuse('not_found', `There is no actor ${name}. ${suggest(name, actorNames)}`, { actor: name })
}

/** `model` leaves the choice to the configuration; provider prefixes name one. */
function isModelName(name: string): boolean {
  return name === 'model' || (name.includes('/') && !/^(?:builtin|local)\//.test(name))
}
