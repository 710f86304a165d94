import type { Action } from '../../domain/action.ts'
import type { Result } from '../../domain/failure.ts'

export interface ActionRepository {
  put(action: Action, text: string): void
  find(name: string): Action | null
  list(): Action[]
}

/** Built-in actions and the parser for registered ones. */
export interface ActionLibrary {
  builtIn(): readonly Action[]
  /** `registered`: what it may start as child plans, besides the built-in ones and itself. */
  parse(text: string, file: string, registered: readonly Action[]): Result<Action>
  /** Why an action cannot be used now, in one sentence; null when it can. */
  unavailable(action: Action): string | null
}
