import type { AutomationGate } from '../gate/automation.ts'
import type { CheckpointId, CorrectionId, DecisionId, PlanId } from '../ids.ts'
import type { ChangeCounts } from '../sandbox/changeset.ts'

export const decisionTypes = [
  'prompt_definition',
  'invariant_enforced',
  'strategy_choice',
  'resource_selection',
  'subplan_spawn',
  'subplan_parallel_spawn',
  'implementation_choice',
  'tool_invocation',
  'error_recovery',
  'validation_response',
  'user_intervention',
] as const
export type DecisionType = (typeof decisionTypes)[number]

/**
 * A choice point, recorded at the moment it is made and never changed afterwards, save for being superseded and for
 * where it stands.
 */
export interface Decision {
  readonly decisionId: DecisionId
  readonly planId: PlanId
  /** Its number within the plan, from 1, in order of recording: `#12`. */
  readonly number: number
  /** Null only for the root, the plan's `prompt_definition`. */
  readonly parentDecisionId: DecisionId | null
  readonly type: DecisionType
  readonly phase: 'action' | 'strategize' | 'execute'
  /** The actor's own name for this choice point, e.g. a recipe's `where` or `edit[3]`; null when the system recorded it. */
  readonly key: string | null
  readonly question: string
  /** Id of the option that its actor proposed, where one did; a person may have chosen another. */
  readonly proposed: string | null
  readonly chosenOption: DecisionOption
  readonly alternatives: readonly DecisionOption[]
  /** As stated by the actor, 0 to 1. */
  readonly confidence: number | null
  /** As computed and compared with the threshold; null for ungated types. */
  readonly gateConfidence: GateConfidence | null
  readonly decidedBy: 'actor' | 'profile' | 'human' | 'system'
  readonly rationale: string
  readonly contextSnapshot: ContextSnapshot
  readonly attempt: number
  readonly correction: { readonly correctionId: CorrectionId; readonly correctsDecisionId: DecisionId } | null
  readonly status: DecisionStatus
  readonly standing: Standing
  /** Work done under it. Null until that work has ended. */
  readonly changes: ChangeCounts | null
  readonly checkpointId: CheckpointId | null
  readonly createdAt: string
}

/** Where a decision stands in the plan's present line, which a correction of another decision changes. */
export interface Standing {
  /** Grows along the line. One that was kept through a correction has a new place once its actor came to it again. */
  readonly place: number
  /**
   * Content hash of the actor's state from which a correction of it resumes. Null while it is kept from before a
   * correction and its actor has not come to it again.
   */
  readonly actorStateRef: string | null
}

export interface DecisionOption {
  readonly id: string
  readonly label: string
  /** Why it was chosen, or why not. */
  readonly rationale: string | null
}

/** The comparison that let a decision or a phase pass, or not, with everything needed to show the arithmetic. */
export interface GateConfidence {
  readonly gate: AutomationGate
  readonly effective: number
  readonly computed: number
  readonly stated: number | null
  readonly threshold: number
  readonly factors: ConfidenceFactors
  readonly weights: ConfidenceFactors
}

/** Each 0 to 1: past success, familiarity, risk (counts inverted), invariant complexity (counts inverted). */
export interface ConfidenceFactors {
  readonly success: number
  readonly familiarity: number
  readonly risk: number
  readonly invariants: number
}

export interface ContextSnapshot {
  /** Content hash of the actor's state just before this decision. */
  readonly actorStateRef: string
  readonly hotContextHash: string
  readonly relevantResources: readonly string[]
}

export type DecisionStatus =
  | { readonly kind: 'active' }
  | {
      readonly kind: 'superseded'
      readonly reason: 'correction' | 'rollback' | 'revision'
      readonly supersededBy: DecisionId | null
      readonly correctionId: CorrectionId | null
      /** In words; null where the reason says it all. */
      readonly why: string | null
    }
