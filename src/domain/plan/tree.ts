import type { Decision } from '../decision/decision.ts'
import type { DecisionId } from '../ids.ts'

/** Decisions by parent, in order of recording. */
export function childrenByParent(decisions: readonly Decision[]): Map<DecisionId | null, Decision[]> {
  const byParent = new Map<DecisionId | null, Decision[]>()
  for (const decision of decisions) {
    const siblings = byParent.get(decision.parentDecisionId)
    if (siblings) siblings.push(decision)
    else byParent.set(decision.parentDecisionId, [decision])
  }
  return byParent
}

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
