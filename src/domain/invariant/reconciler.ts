import type { Result } from '../failure.ts'
import type { ActiveInvariant, Candidate } from './invariant.ts'

/**
 * The role of an actor that settles which invariants hold for a plan. What it answers is held against `problemOf`
 * before it counts, so that none of them can be lost on the way; a refusal keeps the plan from going on.
 */
export interface InvariantReconciler {
  readonly name: string
  reconcile(
    candidates: readonly Candidate[],
    context: { readonly signal: AbortSignal },
  ): Promise<Result<readonly ActiveInvariant[]>>
}
