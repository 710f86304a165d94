import type { Result } from '../../domain/failure.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { depthOf, isActive } from '../../domain/plan/tree.ts'
import type { Tree } from '../backend/decision.ts'
import type { Artifact, PlanDetails } from '../backend/plan.ts'
import { openGatesBelow, waitsFor } from '../children/waiting.ts'
import { limitFacts } from '../guardrails/limit-facts.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { livingHolder } from './lease.ts'
import { sandboxFacts } from './sandbox-facts.ts'

export function planDetails(ports: Ports, plan: Plan): PlanDetails {
  return {
    plan,
    openGates: openGatesBelow(ports, plan),
    children: ports.store.plans.listChildren(plan.planId),
    waitsFor: waitsFor(ports, plan),
    limits: limitFacts(ports, plan),
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
  const parts = treeParts(ports, plan.value, { ...options, below: 0 })
  return {
    ok: true,
    value: {
      plan: plan.value,
      plans: parts.slice(1).map(each => each.plan),
      decisions: parts.flatMap(each => each.decisions),
      influences: parts.flatMap(each => each.influences),
    },
  }
}

interface Shown {
  readonly showSuperseded: boolean
  readonly depth: number | null
  /** How deep its root lies in the whole tree. */
  readonly below: number
}

type TreePart = Omit<Tree, 'plans'>

/** The plan's decisions, then those of the children that were started under one that is shown. */
function treeParts(ports: Ports, plan: Plan, shown: Shown): TreePart[] {
  const all = ports.store.decisions.listByPlan(plan.planId)
  const byId = new Map(all.map(decision => [decision.decisionId, decision]))
  const depths = new Map<DecisionId, number>()
  for (const decision of all) {
    const depth = shown.below + depthOf(decision, byId)
    const isShown = shown.showSuperseded || isActive(decision)
    if (isShown && (shown.depth === null || depth <= shown.depth)) depths.set(decision.decisionId, depth)
  }
  const influences = ports.store.decisions.influences(plan.planId).filter(edge => {
    const below = edge.downstream.kind === 'plan' || depths.has(edge.downstream.decisionId)
    return depths.has(edge.upstreamDecisionId) && below
  })
  const own = { plan, decisions: all.filter(each => depths.has(each.decisionId)), influences }
  const children = ports.store.plans.listChildren(plan.planId).flatMap(child => {
    const depth = child.spawnDecisionId === null ? undefined : depths.get(child.spawnDecisionId)
    return depth === undefined ? [] : treeParts(ports, child, { ...shown, below: depth + 1 })
  })
  return [own, ...children]
}

/** What a plan produced that can be looked at without it: the whole output of its commands. */
export async function planArtifacts(ports: Ports, planRef: string): Promise<Result<readonly Artifact[]>> {
  const plan = findPlan(ports, planRef)
  if (!plan.ok) return plan
  return { ok: true, value: await ports.outputs.list(plan.value.planId) }
}
