import type { Decision } from '../../domain/decision/decision.ts'
import type { Influence } from '../../domain/decision/influence.ts'
import type { Result } from '../../domain/failure.ts'
import { arithmetic } from '../../domain/gate/confidence.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Explanation, Relation } from '../backend/decision.ts'
import type { Ports } from '../ports.ts'
import { findDecision, findPlan, planOf } from '../references.ts'
import { answersIn } from './explain-answers.ts'
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
  const steps = ports.store.steps.listByDecision(decision.decisionId)
  return {
    ok: true,
    value: {
      decision,
      plan,
      arithmetic: confidence ? arithmetic(confidence) : [],
      standing: isActive(decision) && decision.standing.actorStateRef === null ? 'kept' : 'reached',
      ...relationsOf(ports, decision),
      steps,
      answers: answersIn(ports, steps),
      files: files.ok ? files.value.files : [],
    },
  }
}

function relationsOf(
  ports: Ports,
  decision: Decision,
): Pick<Explanation, 'upstream' | 'downstream' | 'notCounted'> {
  const around = ports.store.decisions.influencesAround(decision.decisionId)
  return {
    upstream: around.upstream.flatMap(edge => upstreamOf(ports, decision, edge)),
    downstream: around.downstream.flatMap(edge => downstreamOf(ports, decision, edge)),
    notCounted: around.refused.flatMap(({ influence, reason }) =>
      upstreamOf(ports, decision, influence).map(relation => ({ ...relation, reason })),
    ),
  }
}

function upstreamOf(ports: Ports, to: Decision, edge: Influence): Relation[] {
  return relationTo(ports.store.decisions.find(edge.upstreamDecisionId), to, edge)
}

function downstreamOf(ports: Ports, from: Decision, edge: Influence): Relation[] {
  const { downstream, origin, why } = edge
  if (downstream.kind === 'decision')
    return relationTo(ports.store.decisions.find(downstream.decisionId), from, edge)
  const plan = ports.store.plans.find(downstream.planId)
  if (!plan) return []
  return [{ planId: plan.planId, decisionId: null, number: null, title: plan.name, origin, why }]
}

/** What holds is not said to depend on what no longer does; an old line is told with its own. */
function relationTo(other: Decision | null, decision: Decision, { origin, why }: Influence): Relation[] {
  if (!other || (isActive(decision) && !isActive(other))) return []
  const { planId, decisionId, number, question } = other
  return [{ planId, decisionId, number, title: question, origin, why }]
}
