/** A person answers a question in view of the files as they are, which no actor names. */
import type { Decision } from '../../domain/decision/decision.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Ports } from '../ports.ts'

/**
 * Whether those files are others since: a decision that had written before was taken back, or another one wrote. Then
 * the question is asked again, and the same answer leaves everything that rests on it as it is.
 */
export function isOutdated(ports: Ports, { planId, authorisedAt }: Step): boolean {
  const { decisions, works } = ports.store
  return decisions
    .listByPlan(planId)
    .filter(each => cameSince(each, authorisedAt) || wentSince(ports, each, authorisedAt))
    .some(each => works.listByDecision(each.decisionId).length > 0)
}

function cameSince(decision: Decision, at: string): boolean {
  return decision.createdAt > at && isActive(decision) && decision.standing.actorStateRef !== null
}

function wentSince({ store }: Ports, { status, createdAt }: Decision, at: string): boolean {
  if (status.kind !== 'superseded' || createdAt > at) return false
  const correction = status.correctionId && store.corrections.find(status.correctionId)
  // When a rollback took it back is not on record; asking once more harms nobody.
  return correction ? correction.createdAt > at : true
}

/** The questions under a decision that is kept which are asked again where these decisions are taken back. */
export function askedAgain(
  { store }: Ports,
  kept: Decision,
  affected: readonly { readonly decision: Decision }[],
): string[] {
  const writers = affected.filter(each => store.works.listByDecision(each.decision.decisionId).length > 0)
  return answersUnder(store, kept.decisionId)
    .filter(({ authorisedAt }) => writers.some(({ decision }) => decision.createdAt < authorisedAt))
    .map(({ input }) => String(input['question']))
}

function answersUnder({ steps }: Ports['store'], decisionId: DecisionId): Step[] {
  const asked = steps
    .listByDecision(decisionId)
    .filter(({ kind, status }) => kind === 'ask' && status === 'done')
  return asked.filter(({ path }, index) => asked.findLastIndex(each => each.path === path) === index)
}
