/**
 * The actor kinds, by the name an action gives them. An actor decides and requests; it knows no disk, no store and no
 * gate. Begin with `createActors`.
 */
import type { Actors } from '../../application/ports/actor.ts'
import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { suggest } from '../../domain/nearest.ts'
import { mechanicalReconciler } from './mechanical-reconciler.ts'
import { createRecipeActor, RECIPE_ACTOR } from './recipe-actor.ts'

export interface ActorSurroundings {
  readonly expressions: ExpressionEvaluator
}

interface ActorKind {
  readonly description: string
  open(action: Action, surroundings: ActorSurroundings): Result<Actor>
}

const actorKinds: Readonly<Record<string, ActorKind>> = {
  [RECIPE_ACTOR]: {
    description: "plays the steps in the action's own file; needs no model and no network",
    open: (action, { expressions }) => createRecipeActor(action, expressions),
  },
}

export function createActors(surroundings: ActorSurroundings): Actors {
  return {
    list: () =>
      Object.entries(actorKinds).map(([name, { description }]) => ({ name, description, available: true })),
    forAction: (action, phase) =>
      actorFor(phase === 'strategize' ? action.strategyActor : action.executionActor, action, surroundings),
    // An action cannot name another one yet: model actors are not available.
    reconcilerFor: () => ({ ok: true, value: mechanicalReconciler }),
  }
}

/** The actor of a name. It stands for exactly one kind; nothing falls back to another. */
function actorFor(name: string, action: Action, surroundings: ActorSurroundings): Result<Actor> {
  const kind = Object.hasOwn(actorKinds, name) ? actorKinds[name] : undefined
  if (kind) return kind.open(action, surroundings)
  if (isModelName(name))
    return refuse(
      'not_available',
      `${action.name} needs the model actor ${name}, and model actors are not available yet. ` +
        `Use an action that runs on ${RECIPE_ACTOR}: \`agents action list\` shows them.`,
      { actor: name, action: action.name },
    )
  return refuse('not_found', `There is no actor ${name}. ${suggest(name, Object.keys(actorKinds))}`, {
    actor: name,
  })
}

/** `model` leaves the choice to the configuration; provider prefixes name one. */
function isModelName(name: string): boolean {
  return name === 'model' || (name.includes('/') && !/^(?:builtin|local)\//.test(name))
}
