import type { ActionLibrary, Actors } from '../../application/ports.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import type { ToolDeclaration } from '../../domain/tool.ts'
import { openBuiltinActions } from './index.ts'
import { parseAction } from './parse-action.ts'

export interface LibrarySurroundings {
  readonly tools: readonly ToolDeclaration[]
  readonly expressions: ExpressionEvaluator
  readonly actors: Actors
}

/** Built-in actions, the parser for registered ones, and whether an action's actors can be had. */
export function createActionLibrary({ tools, expressions, actors }: LibrarySurroundings): ActionLibrary {
  const builtin = openBuiltinActions({ tools, expressions })
  return {
    builtIn: () => [...builtin().values()],
    parse: (text, file) => parseAction({ text, file, origin: 'user' }, { tools, expressions }),
    unavailable: action => {
      for (const phase of ['strategize', 'execute'] as const) {
        const actor = actors.forAction(action, phase)
        if (!actor.ok) return actor.failure.message
      }
      return null
    },
  }
}
