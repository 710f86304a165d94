import type { Decision } from '../decision/decision.ts'
import type { DecisionId } from '../ids.ts'

export function isActive(decision: Decision): boolean {
  return decision.status.kind === 'active'
}

/** The decision's depth below the root; the root is 0. */
export function depthOf(decision: Decision, byId: ReadonlyMap<DecisionId, Decision>): number {
  let depth = 0
  for (let at: Decision | undefined = decision; at?.parentDecisionId; depth++)
    at = byId.get(at.parentDecisionId)
  return depth
}
