import type { Decision } from '../../domain/decision/decision.ts'
import type { Influence } from '../../domain/decision/influence.ts'
import type { DecisionId, MessageId, PlanId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { ChangedFile } from '../../domain/sandbox/changeset.ts'

/** Another decision, or a plan, that depends on one or that it depends on. */
export interface Relation {
  readonly planId: PlanId
  /** Null for a plan. */
  readonly decisionId: DecisionId | null
  readonly number: number | null
  /** The decision's question, or the plan's name. */
  readonly title: string
  readonly origin: Influence['origin']
  readonly why: string
}

export interface Tree {
  readonly plan: Plan
  /** All plans below it. */
  readonly plans: readonly Plan[]
  readonly decisions: readonly Decision[]
  readonly influences: readonly Influence[]
}

/** One answer of a model, and what it cost. */
export interface Answer {
  readonly step: Step
  readonly model: string
  readonly tokens: number
  /** Null where the price is unknown. */
  readonly usd: number | null
  /** The first lines of what it wrote, and what it called for. */
  readonly beginning: string
  readonly messageId: MessageId | null
}

export interface Explanation {
  readonly decision: Decision
  readonly plan: Plan
  readonly arithmetic: readonly string[]
  /** kept: from before a correction, and its actor has not come to it again. */
  readonly standing: 'reached' | 'kept'
  readonly upstream: readonly Relation[]
  readonly downstream: readonly Relation[]
  /** Edges into it that would have closed a circle. */
  readonly notCounted: readonly (Relation & { readonly reason: string })[]
  readonly steps: readonly Step[]
  readonly answers: readonly Answer[]
  readonly files: readonly ChangedFile[]
}
