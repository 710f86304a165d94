/**
 * The actor kinds, by the name an action gives them. An actor decides and requests; it knows no disk, no store and no
 * gate. Begin with `createActors`.
 */
import type { Actors } from '../../application/ports/actor.ts'
import type { Models } from '../../application/ports/model.ts'
import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import { isModelName } from '../../domain/actor/model-name.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { suggest } from '../../domain/nearest.ts'
import type { ToolDeclaration } from '../../domain/tool.ts'
import { mechanicalReconciler } from './mechanical-reconciler.ts'
import { type ActorUse, createModelActor, type ModelActorSurroundings } from './model-actor.ts'
import { createRecipeActor, RECIPE_ACTOR } from './recipe-actor.ts'

export interface ActorSurroundings extends ModelActorSurroundings {
  readonly expressions: ExpressionEvaluator
  readonly models: Models
  readonly tools: readonly ToolDeclaration[]
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
    list: () => [
      ...Object.entries(actorKinds).map(([name, { description }]) => ({
        name,
        description,
        available: true,
      })),
      ...modelActors(surroundings.models),
    ],
    forAction: (action, phase, tools = surroundings.tools) => {
      const role = phase === 'strategize' ? 'strategy' : 'execution'
      return actorFor(action[`${role}Actor`], { action, role }, { ...surroundings, tools })
    },
    // An action cannot name another one.
    reconcilerFor: () => ({ ok: true, value: mechanicalReconciler }),
  }
}

/** `model`, and each provider whose models can be actors, with what is missing where they cannot. */
function modelActors(models: Models) {
  const chosen = models.resolve('model')
  const isMissing = !chosen.ok && chosen.failure.facts['reason'] === 'no_model'
  return [
    {
      name: 'model',
      description: chosen.ok
        ? `stands for ${chosen.value}`
        : isMissing
          ? 'stands for no model yet'
          : chosen.failure.message,
      available: chosen.ok,
    },
    ...models.providers().map(({ name, label, defaultModel, problem }) => ({
      name: `${name}/MODEL`,
      description:
        problem ?? `a model of ${label}${defaultModel === null ? '' : `, e.g. ${name}/${defaultModel}`}`,
      available: problem === null,
    })),
  ]
}

/** The actor of a name. It stands for exactly one kind; nothing falls back to another. */
function actorFor(name: string, use: ActorUse, surroundings: ActorSurroundings): Result<Actor> {
  const kind = Object.hasOwn(actorKinds, name) ? actorKinds[name] : undefined
  if (kind) return kind.open(use.action, surroundings)
  if (isModelName(name)) return createModelActor(name, use, surroundings)
  return refuse('not_found', `There is no actor ${name}. ${suggest(name, Object.keys(actorKinds))}`, {
    actor: name,
  })
}
