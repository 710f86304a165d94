import type { Decision, DecisionStatus } from '../../domain/decision/decision.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import { cancelChildrenOf, noteBack } from '../children/touched.ts'
import { savePlan } from '../plan/change-plan.ts'
import type { Ports } from '../ports.ts'

type Superseded = Omit<Extract<DecisionStatus, { kind: 'superseded' }>, 'kind' | 'why'>

/** Superseded decisions leave the tree but are never deleted. Call it inside a transaction. */
export function supersede(
  ports: Ports,
  plan: Plan,
  affected: readonly { readonly decision: Decision; readonly why: string | null }[],
  how: Superseded,
): void {
  if (affected.length === 0) return
  const decisionIds = affected.map(({ decision }) => decision.decisionId)
  for (const { decision, why } of affected)
    ports.store.decisions.setStatus([decision.decisionId], { kind: 'superseded', ...how, why })
  cancelChildrenOf(ports, plan, decisionIds)
  ports.store.events.append(plan.planId, plan.rootPlanId, {
    type: 'DECISIONS_SUPERSEDED',
    decisionIds,
    ...how,
  })
}

/** A rollback or correction is taken back: what it superseded holds again. Call it inside a transaction. */
export function reinstate(ports: Ports, plan: Plan, decisions: readonly Decision[]): void {
  if (decisions.length === 0) return
  const decisionIds = decisions.map(decision => decision.decisionId)
  ports.store.decisions.setStatus(decisionIds, { kind: 'active' })
  noteBack(ports, plan, decisionIds)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'DECISIONS_RESTORED', decisionIds })
}

/**
 * Nothing that an actor chose holds any more, nor what was appended to it; it begins again from the start. A person is
 * told which additions went with it. Call it inside a transaction.
 */
export function forgetLine(ports: Ports, plan: Plan): Plan {
  const chosen = ports.store.decisions
    .listByPlan(plan.planId)
    .filter(each => isActive(each) && (each.key !== null || each.type === 'subplan_spawn'))
  const appended = chosen.filter(({ key }) => key === null).flatMap(each => additionUnder(ports, each))
  const gone = chosen.map(decision => ({ decision, why: null }))
  supersede(ports, plan, gone, { reason: 'revision', supersededBy: null, correctionId: null })
  ports.store.works.setPresent(plan.planId, [])
  ports.store.cursors.remove(plan.planId)
  if (appended.length === 0) return plan
  const forgetful = { ...plan, notices: [...plan.notices, ...appended] }
  savePlan(ports, forgetful)
  return forgetful
}

function additionUnder({ store }: Ports, { planId, decisionId }: Decision): string[] {
  return store.plans
    .listChildren(planId)
    .filter(({ spawnDecisionId, appliesTo }) => spawnDecisionId === decisionId && appliesTo === 'parent')
    .map(
      ({ name, guidance }) =>
        `The plan was made anew without the addition ${name} (${guidance.join('; ')}). Append it again if it is still wanted.`,
    )
}
