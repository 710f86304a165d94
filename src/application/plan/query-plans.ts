import type { Result } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { depthOf, isActive } from '../../domain/plan/tree.ts'
import type { Artifact, PlanDetails, Tree } from '../backend.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { livingHolder } from './lease.ts'
import { sandboxFacts } from './sandbox-facts.ts'

export function planDetails(ports: Ports, plan: Plan): PlanDetails {
  return {
    plan,
    openGates: ports.store.gates.listOpen(plan.planId),
    changes: plan.changes,
    notices: plan.notices,
    sandbox: sandboxFacts(ports, plan),
    runner: livingHolder(ports, plan.planId),
    takenBackBy: plan.takenBackBy && ports.store.plans.find(plan.takenBackBy),
  }
}

export function planTree(
  ports: Ports,
  planRef: string,
  options: { showSuperseded: boolean; depth: number | null },
): Result<Tree> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  const all = ports.store.decisions.listByPlan(plan.value.planId)
  const byId = new Map(all.map(decision => [decision.decisionId, decision]))
  const decisions = all.filter(decision => {
    if (!options.showSuperseded && !isActive(decision)) return false
    return options.depth === null || depthOf(decision, byId) <= options.depth
  })
  const shown = new Set(decisions.map(decision => decision.decisionId))
  const influences = ports.store.decisions.influences(plan.value.planId).filter(edge => {
    const below = edge.downstream.kind === 'plan' || shown.has(edge.downstream.decisionId)
    return shown.has(edge.upstreamDecisionId) && below
  })
  return { ok: true, value: { plan: plan.value, decisions, influences } }
}

/** What a plan produced that can be looked at without it: the whole output of its commands. */
export async function planArtifacts(ports: Ports, planRef: string): Promise<Result<readonly Artifact[]>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  return { ok: true, value: await ports.outputs.list(plan.value.planId) }
}
