import type { Checkpoint } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { CancelledChild, DecisionMention, RestoreGroups } from './correction.ts'

export interface RollBack {
  readonly planRef: string
  /** The latest that a decision still holds, when none is named. */
  readonly checkpointRef: string | null
  readonly dryRun: boolean
  /** Digest of the preview that was confirmed; null = confirm whatever the impact is now. */
  readonly digest: string | null
}

/** Takes the last correction or rollback back. */
export type Undo = Omit<RollBack, 'checkpointRef'>

export interface RollbackImpact extends RestoreGroups {
  /** Superseded by it. */
  readonly decisions: readonly DecisionMention[]
  /** Hold again: a rollback or a correction is taken back. */
  readonly decisionsAgain: readonly DecisionMention[]
  /** Children whose work leaves, or that began since. */
  readonly plans: readonly CancelledChild[]
  readonly gatesAgain: readonly string[]
  readonly digest: string
}

export interface RollbackOutcome {
  readonly plan: Plan
  readonly checkpoint: Checkpoint
  readonly impact: RollbackImpact
  /** What the rollback can be taken back with; null for a preview. */
  readonly safety: Checkpoint | null
}
