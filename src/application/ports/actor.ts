import type { Action } from '../../domain/action.ts'
import type { Actor } from '../../domain/actor/actor.ts'
import type { Result } from '../../domain/failure.ts'
import type { InvariantReconciler } from '../../domain/invariant/reconciler.ts'
import type { ToolDeclaration } from '../../domain/tool.ts'

export interface Actors {
  list(): readonly { readonly name: string; readonly description: string; readonly available: boolean }[]
  /**
   * The actor of an action for one phase. `tools`: those that its plan does not forbid outright; all where there is no
   * plan yet. Refuses where it needs a model that cannot be reached, with what to do about it.
   */
  forAction(
    action: Action,
    phase: 'strategize' | 'execute',
    tools?: readonly ToolDeclaration[],
  ): Result<Actor>
  /** Who settles which invariants hold for the plans of an action. */
  reconcilerFor(action: Action): Result<InvariantReconciler>
}
