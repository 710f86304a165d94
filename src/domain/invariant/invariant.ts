/**
 * Invariants: what must stay true whatever a plan does. They are stated for everything, for a project, for an action or
 * for one plan; which of them hold for a plan is settled by `reconcile`. Begin with `Invariant`.
 */
import type { InvariantId, PlanId } from '../ids.ts'
import type { InvariantRule } from './rule.ts'

/** What a person says: words, and where they can be compared by a program, the same as a rule. */
export interface StatedInvariant {
  readonly text: string
  readonly rule: InvariantRule | null
}

export type InvariantScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly project: string }
  /** Copied to every plan that the action makes from then on. */
  | { readonly kind: 'action'; readonly action: string }
  /** `fromAction`: copied from that action when the plan was made; null when it was said for this plan. */
  | { readonly kind: 'plan'; readonly planId: PlanId; readonly fromAction: string | null }

export interface Invariant extends StatedInvariant {
  readonly invariantId: InvariantId
  readonly scope: InvariantScope
  /** Of global ones only: nothing that is said elsewhere wins over it. */
  readonly nonOverridable: boolean
  readonly statedBy: string
  readonly createdAt: string
}

/** Who says so, for people. */
export type InvariantSource =
  | { readonly kind: 'global' }
  | { readonly kind: 'project'; readonly name: string }
  | { readonly kind: 'action'; readonly name: string }
  /** This plan, or the one above it that is named. */
  | { readonly kind: 'plan'; readonly name: string | null }

/** An invariant that could hold for a plan, before it is known whether another one wins over it. */
export interface Candidate extends StatedInvariant {
  /** Null for what a plan of before invariants were records was given. */
  readonly invariantId: InvariantId | null
  readonly source: InvariantSource
  readonly nonOverridable: boolean
  /** How many plans above the one that asks it was said; what holds for a plan holds for those below it. */
  readonly above: number
  readonly createdAt: string
}

/** An invariant that holds for a plan, with what it was chosen over. */
export interface ActiveInvariant extends StatedInvariant {
  readonly invariantId: InvariantId | null
  readonly source: InvariantSource
  readonly nonOverridable: boolean
  /** Others who say the very same. */
  readonly alsoFrom: readonly InvariantSource[]
  readonly over: readonly Overridden[]
}

export interface Overridden extends StatedInvariant {
  readonly source: InvariantSource
  /** Why it does not hold, in one sentence. */
  readonly why: string
}

/** As in "an invariant of ...". */
export function sourceWords(source: InvariantSource): string {
  switch (source.kind) {
    case 'global':
      return 'all plans'
    case 'project':
      return `project ${source.name}`
    case 'action':
      return `action ${source.name}`
    case 'plan':
      return source.name === null ? 'this plan' : `plan ${source.name} above it`
  }
}
