/** Everything that happens to a plan, as it is kept in the append-only event log. */
import type { Decision } from '../domain/decision/decision.ts'
import type { Influence } from '../domain/decision/influence.ts'
import type { Gate } from '../domain/gate/gate.ts'
import type { Judgement } from '../domain/gate/judgement.ts'
import type { Limits } from '../domain/guardrails/limits.ts'
import type { GuardName, GuardScope } from '../domain/guards/guard.ts'
import type { GuardChange } from '../domain/guards/guard-overlay.ts'
import type { CorrectionId, DecisionId, EventId, GateId, PlanId, StepId } from '../domain/ids.ts'
import type { Checkpoint, Correction, ProcessIdentity, Step } from '../domain/plan/journal.ts'
import type { Plan } from '../domain/plan/plan.ts'
import type { AutomationProfile } from '../domain/profile/profile.ts'
import type { ChangeCounts } from '../domain/sandbox/changeset.ts'

export type PlanEventBody =
  | { readonly type: 'PLAN_CREATED'; readonly plan: Plan }
  | { readonly type: 'PLAN_PHASE_CHANGED'; readonly plan: Plan }
  | { readonly type: 'PLAN_STATE_CHANGED'; readonly plan: Plan }
  | { readonly type: 'PLAN_APPLIED'; readonly plan: Plan }
  | { readonly type: 'PLAN_CANCELLED'; readonly plan: Plan }
  | { readonly type: 'PLAN_ERRORED'; readonly plan: Plan }
  | {
      readonly type: 'DECISION_RECORDED'
      readonly decision: Decision
      readonly influences: readonly Influence[]
    }
  | { readonly type: 'DECISION_WORK_DONE'; readonly decisionId: DecisionId; readonly changes: ChangeCounts }
  | {
      readonly type: 'DECISIONS_SUPERSEDED'
      readonly decisionIds: readonly DecisionId[]
      readonly reason: 'correction' | 'rollback' | 'revision'
      readonly correctionId: CorrectionId | null
      readonly supersededBy: DecisionId | null
    }
  | { readonly type: 'DECISIONS_RESTORED'; readonly decisionIds: readonly DecisionId[] }
  | { readonly type: 'STEP_STARTED'; readonly step: Step }
  | { readonly type: 'STEP_OUTPUT'; readonly stepId: StepId; readonly text: string }
  | { readonly type: 'STEP_FINISHED'; readonly step: Step }
  | { readonly type: 'GATE_OPENED'; readonly gate: Gate }
  /** A guard stopped a call, and a person is asked. */
  | {
      readonly type: 'GUARD_STOPPED'
      readonly guard: GuardName
      readonly tool: string
      readonly reason: string
      readonly scope: GuardScope
      readonly gateId: GateId
    }
  | {
      readonly type: 'GUARDS_CHANGED'
      readonly change: GuardChange
      /** What it lets through that was stopped before. */
      readonly loosened: readonly string[]
      readonly reason: string | null
      readonly by: string
    }
  /** The profile let it happen by itself; nobody was asked. */
  | { readonly type: 'GATE_PASSED'; readonly judgement: Judgement }
  | { readonly type: 'GATE_RESOLVED'; readonly gate: Gate }
  | { readonly type: 'GATE_VOIDED'; readonly gate: Gate }
  | { readonly type: 'CHECKPOINT_CREATED'; readonly checkpoint: Checkpoint }
  | {
      readonly type: 'CHECKPOINT_RESTORED'
      readonly restored: readonly string[]
      readonly removed: readonly string[]
    }
  | {
      readonly type: 'ARTIFACT_PRODUCED'
      readonly name: string
      readonly kind: string
      readonly bytes: number
    }
  /** Amounts are null where the price of any of it is unknown. */
  | {
      readonly type: 'COST_CHARGED'
      readonly usd: number | null
      readonly planUsd: number | null
      readonly tokens: number
      readonly planTokens: number
    }
  | { readonly type: 'CORRECTION_STARTED'; readonly correction: Correction }
  | { readonly type: 'CORRECTION_FINISHED'; readonly correction: Correction }
  | {
      /** A person raised or lowered limits of a plan. */
      readonly type: 'LIMITS_CHANGED'
      readonly before: Limits
      readonly after: Limits
      readonly by: string
    }
  | {
      readonly type: 'PROFILE_CHANGED'
      readonly from: AutomationProfile
      readonly to: AutomationProfile
      readonly reason: string
      readonly by: string
    }
  | { readonly type: 'LEASE_CHANGED'; readonly holder: ProcessIdentity | null }

export interface PlanEvent {
  /** Dense per store, from 1. */
  readonly seq: number
  readonly eventId: EventId
  readonly planId: PlanId
  readonly rootPlanId: PlanId
  readonly at: string
  readonly body: PlanEventBody
}
