/** Child plans that corrections and rollbacks of their parent reach. Begin with `childrenTouched`. */
import { ok, type Result } from '../../domain/failure.ts'
import type { DecisionId, PlanId } from '../../domain/ids.ts'
import { fateOf, type TouchedChild } from '../../domain/plan/child-fate.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { isFinal, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { readSpawn } from '../../domain/plan/spawn.ts'
import { changePlan, savePlan } from '../plan/change-plan.ts'
import { cleanUp } from '../plan/clean-up.ts'
import { endStep } from '../plan/journal-step.ts'
import { pausePlanNow } from '../plan/take-over.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'
import { HALTED } from './set-going.ts'

/**
 * The children that were started under these decisions of one plan, or `shaped` by them, their children and so on; a
 * parent comes first.
 */
export function childrenTouched(
  ports: Ports,
  planId: PlanId,
  decisionIds: ReadonlySet<DecisionId>,
  shaped: readonly PlanId[] = [],
): TouchedChild[] {
  const { plans } = ports.store
  const started = plans
    .listChildren(planId)
    .filter(
      ({ planId: child, spawnDecisionId }) =>
        (spawnDecisionId !== null && decisionIds.has(spawnDecisionId)) || shaped.includes(child),
    )
  return started
    .flatMap(child => [child, ...plans.listDescendants(child.planId)])
    .map(plan => ({ plan, fate: fateOf(plan) }))
}

type Touched = Pick<TouchedChild, 'plan'>

/**
 * Stops what runs of them, wherever it runs: afterwards nobody works in their sandboxes. Each could still go on from
 * where it stands, and does so by `setGoing` where what they were stopped for fails or is cut short.
 */
export async function haltChildren(
  ports: Ports,
  owner: Pick<PlanOwner, 'exclusively'>,
  children: readonly Touched[],
): Promise<Result<void>> {
  const halt = async (planId: PlanId): Promise<Result<void>> => {
    pausePlanNow(ports, planId, HALTED)
    return ok()
  }
  const halted = await Promise.all(
    children.map(({ plan: { planId } }) =>
      // Its last holder has let go once this comes back.
      ports.store.leases.get(planId) ? owner.exclusively(planId, 'now', () => halt(planId)) : halt(planId),
    ),
  )
  return halted.find(each => !each.ok) ?? ok()
}

/** All that have not ended; their states stay readable. Call it inside a transaction. */
export function cancelChildren(ports: Ports, children: readonly TouchedChild[], reason: string): void {
  for (const { plan } of children) cancel(ports, planOf(ports, plan.planId), reason)
}

/** The sandboxes of those that have ended. A holder cleans up by itself. */
export async function cleanUpChildren(ports: Ports, children: readonly Touched[]): Promise<void> {
  for (const { plan } of children)
    if (ports.store.leases.get(plan.planId) === null) await cleanUp(ports, planOf(ports, plan.planId))
}

/**
 * What goes with decisions that are superseded: their children that have not ended, and the steps that drive them. Call
 * it inside a transaction.
 */
export function cancelChildrenOf(ports: Ports, plan: Plan, decisionIds: readonly DecisionId[]): void {
  const gone = new Set(decisionIds)
  for (const step of ports.store.steps.listOpenSpawns(plan.planId)) {
    if (step.decisionId !== null && gone.has(step.decisionId))
      endStep(ports, plan, { ...step, status: 'interrupted', summary: 'its decision was superseded' })
  }
  for (const child of ports.store.plans.listChildren(plan.planId)) {
    if (child.appliesTo === 'parent' && child.spawnDecisionId !== null && gone.has(child.spawnDecisionId))
      cancel(ports, child, 'the decision that started it was superseded')
  }
}

/** The children of one step go, and so does what drives them. Call it inside a transaction. */
export function endSpawn(ports: Ports, plan: Plan, step: Step, reason: string): void {
  if (step.status === 'authorised' || step.status === 'started')
    endStep(ports, plan, { ...step, status: 'interrupted', summary: reason })
  for (const { planId } of readSpawn(step).children) cancel(ports, planOf(ports, planId), reason)
}

/**
 * A correction or rollback is taken back. What its children made is in the plan again by the line of work; they
 * themselves stay cancelled, since nothing that has ended begins again. Call it inside a transaction.
 */
export function noteBack(ports: Ports, plan: Plan, decisionIds: readonly DecisionId[]): void {
  const back = new Set(decisionIds)
  for (const child of ports.store.plans.listChildren(plan.planId)) {
    if (child.spawnDecisionId === null || !back.has(child.spawnDecisionId)) continue
    if (stateOf(child.position) !== 'cancelled' || child.changes === null) continue
    savePlan(ports, { ...child, reason: `cancelled, but what it made is in ${plan.name} again` })
  }
}

/** Its own children are cancelled with it. */
function cancel(ports: Ports, plan: Plan, reason: string): void {
  if (isFinal(plan.position)) return
  const cancelled = changePlan(ports, plan, { event: 'cancelled', reason })
  if (!cancelled.ok) throw new Error(cancelled.failure.message)
}
