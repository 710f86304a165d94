import type { Decision } from '../../domain/decision/decision.ts'
import type { Result } from '../../domain/failure.ts'
import { arithmetic } from '../../domain/gate/confidence.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { DecisionMention, Explanation } from '../backend.ts'
import type { Ports } from '../ports.ts'
import { findDecision, findPlan, planOf } from '../references.ts'
import { mention } from './plan-correction.ts'
import { decisionChanges } from './show-diff.ts'

/** Why a decision was taken, what shaped it, what it shaped, and what was done under it. */
export async function explainDecision(
  ports: Ports,
  decisionRef: string,
  planRef: string | null,
): Promise<Result<Explanation>> {
  const named = planRef === null ? null : findPlan(ports, planRef)
  if (named && !named.ok) return named
  const found = findDecision(ports, decisionRef, named?.value ?? null)
  if (!found.ok) return found
  const decision = found.value
  const plan = planOf(ports, decision.planId)
  const files = await decisionChanges(ports, plan, decision)
  const confidence = decision.gateConfidence
  return {
    ok: true,
    value: {
      decision,
      plan,
      arithmetic: confidence ? arithmetic(confidence) : [],
      ...neighbours(ports, decision),
      steps: ports.store.steps
        .listByPlan(plan.planId)
        .filter(step => step.decisionId === decision.decisionId),
      files: files.ok ? files.value.files : [],
    },
  }
}

function neighbours(
  ports: Ports,
  decision: Decision,
): { upstream: DecisionMention[]; downstream: DecisionMention[] } {
  const influences = ports.store.decisions.influences(decision.planId)
  const name = (id: DecisionId, why: string) => {
    const other = ports.store.decisions.find(id)
    return other ? [mention(other, why)] : []
  }
  return {
    upstream: influences
      .filter(
        ({ downstream }) => downstream.kind === 'decision' && downstream.decisionId === decision.decisionId,
      )
      .flatMap(edge => name(edge.upstreamDecisionId, edge.why)),
    downstream: influences
      .filter(edge => edge.upstreamDecisionId === decision.decisionId)
      .flatMap(edge =>
        edge.downstream.kind === 'decision' ? name(edge.downstream.decisionId, edge.why) : [],
      ),
  }
}
