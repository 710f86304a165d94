import type { Models } from '../../application/ports/model.ts'
import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import { nextModelTurn, startModel } from '../../domain/actor/model/model-actor.ts'
import { readModelState } from '../../domain/actor/model/model-state.ts'
import type { Terms } from '../../domain/actor/model/terms.ts'
import { mapped, type Result } from '../../domain/failure.ts'
import type { ToolDeclaration } from '../../domain/tool.ts'

export interface ModelActorSurroundings {
  readonly models: Pick<Models, 'resolve' | 'facts'>
  /** Of the settings: how often in a row a model may call tools wrongly. */
  readonly maxMalformed: () => number
}

export interface ActorUse {
  readonly action: Action
  readonly role: 'strategy' | 'execution'
}

/** Asks a model what to do next. The run loop asks it and performs what it wants. */
export function createModelActor(
  name: string,
  { action, role }: ActorUse,
  { models, maxMalformed, tools }: ModelActorSurroundings & { readonly tools: readonly ToolDeclaration[] },
): Result<Actor> {
  return mapped(models.resolve(name, { role, project: null }), model => {
    const { contextTokens, maxOutputTokens } = models.facts(model)
    const purpose = [action.description, action.longDescription ?? ''].join('\n').trim()
    return actorOf({ model, contextTokens, maxOutputTokens, maxMalformed: maxMalformed(), purpose, tools })
  })
}

function actorOf(terms: Terms): Actor {
  return {
    name: terms.model,
    wantsContext: true,
    start: brief => startModel(terms, brief),
    next: async (state, outcome, { brief, signal }) => {
      signal.throwIfAborted()
      return nextModelTurn(terms, readModelState(state), outcome, brief)
    },
  }
}
