import type { DecisionId, PlanId } from '../../domain/ids.ts'
import type { Correction } from '../../domain/plan/journal.ts'
import type { Position } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { RestoredPath } from '../../domain/sandbox/strategy.ts'

export interface CorrectDecision {
  readonly decisionRef: string | null
  readonly planRef: string | null
  readonly mode: 'revert' | 'append' | null
  readonly guidance: string
  readonly action: string | null
  readonly dryRun: boolean
  /** Digest of the preview that was confirmed; null = confirm whatever the impact is now. */
  readonly digest: string | null
}

export interface DecisionMention {
  readonly decisionId: DecisionId
  readonly number: number
  readonly question: string
  readonly why: string
}

/** What a rollback or a correction does to the sandbox, in the three groups that people see before it acts. */
export interface RestoreGroups {
  readonly restored: readonly RestoredPath[]
  readonly leftAlone: readonly NamedReason[]
  readonly cannotRestore: readonly NamedReason[]
}

export interface NamedReason {
  readonly what: string
  readonly why: string
}

export interface Impact extends RestoreGroups {
  readonly decisions: readonly DecisionMention[]
  readonly plans: readonly CancelledChild[]
  readonly kept: readonly DecisionId[]
  readonly tier: 'full' | 'phase' | 'none'
  readonly warnings: readonly string[]
  readonly gatesAgain: readonly string[]
  /** Sentences: what ran under these decisions and reached beyond the sandbox. */
  readonly irreversible: readonly string[]
  readonly digest: string
}

export interface CancelledChild {
  readonly planId: PlanId
  readonly name: string
  readonly position: Position
  readonly becomes: 'cancelled'
}

export interface CorrectionOutcome {
  readonly plan: Plan
  readonly targetDecisionId: DecisionId
  readonly mode: 'revert' | 'append'
  readonly guidance: string
  readonly impact: Impact
  /** Null for a preview. */
  readonly correction: Correction | null
}
