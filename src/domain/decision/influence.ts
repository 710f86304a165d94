import type { DecisionId, PlanId } from '../ids.ts'

/** One influence edge: the upstream decision shaped the downstream one. */
export interface Influence {
  readonly upstreamDecisionId: DecisionId
  readonly downstream:
    | { readonly kind: 'decision'; readonly decisionId: DecisionId }
    | { readonly kind: 'plan'; readonly planId: PlanId }
  /** declared: the actor said so. derived: something read was written or set under the upstream decision. */
  readonly origin: 'declared' | 'derived'
  /** e.g. "read src/a.ts, written under #4". */
  readonly why: string
}
