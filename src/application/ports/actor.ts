import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import type { Result } from '../../domain/failure.ts'
import type { InvariantReconciler } from '../../domain/invariant/reconciler.ts'

export interface Actors {
  list(): readonly { readonly name: string; readonly description: string; readonly available: boolean }[]
  /** The actor of an action for one phase. Refuses with not_available where a model would be needed. */
  forAction(action: Action, phase: 'strategize' | 'execute'): Result<Actor>
  /** Who settles which invariants hold for the plans of an action. */
  reconcilerFor(action: Action): Result<InvariantReconciler>
}
