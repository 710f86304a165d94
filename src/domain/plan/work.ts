import type { DecisionId, PlanId } from '../ids.ts'
import type { SandboxState } from '../sandbox/strategy.ts'

/**
 * One stretch of what a plan did in its sandbox, under one decision. Those that hold now, in order, are its line of
 * work: each begins where the one before ended, and the last one ends in the sandbox as it was last recorded.
 */
export interface Work {
  /** Grows with every stretch of the plan. */
  readonly seq: number
  readonly planId: PlanId
  /** Null for what was done before the first decision. */
  readonly decisionId: DecisionId | null
  /** Null: the sandbox as it was when the plan began. */
  readonly from: SandboxState | null
  readonly to: SandboxState
  /** Which of the user's edits the sandbox holds once this is done, as in a plan's cursor. */
  readonly base: SandboxState | null
}
