import type { PlanView } from '../src/a2a/protocol/views.ts'

export interface Plans {
  readonly byId: Map<string, PlanView>
  /** Root plans, newest first: a ULID begins with its time. */
  roots: readonly PlanView[]
}

export type PlanOrder = 'newest' | 'waiting'

export function createPlans(): Plans {
  return { byId: new Map(), roots: [] }
}

export function putPlan(plans: Plans, plan: PlanView): void {
  plans.byId.set(plan.plan_id, plan)
  if (plan.parent_plan_id === null) plans.roots = sorted([...others(plans, plan), plan])
}

export function replacePlans(plans: Plans, all: readonly PlanView[]): void {
  plans.byId.clear()
  for (const plan of all) plans.byId.set(plan.plan_id, plan)
  plans.roots = sorted(all.filter(plan => plan.parent_plan_id === null))
}

/** Its parent, the parent's parent, up to the root plan. */
export function ancestorsOf(plans: Plans, planId: string): string[] {
  const found: string[] = []
  let parent = plans.byId.get(planId)?.parent_plan_id ?? null
  while (parent !== null && !found.includes(parent)) {
    found.push(parent)
    parent = plans.byId.get(parent)?.parent_plan_id ?? null
  }
  return found
}

export function isRunning(plan: PlanView): boolean {
  if (plan.state === 'complete') return !isHandedOver(plan)
  return plan.state === 'running' || plan.state === 'queued'
}

/** A child that has ended: what it changed is its parent's now, and goes where its parent goes. */
export function isHandedOver({ phase, state }: Pick<PlanView, 'phase' | 'state'>): boolean {
  return phase === 'apply' && state === 'complete'
}

export function isWaiting(plan: PlanView): boolean {
  return plan.state === 'awaiting_input' || plan.state === 'constrained'
}

export function hasEnded(plan: PlanView): boolean {
  return plan.state === 'applied' || plan.state === 'cancelled'
}

function others(plans: Plans, plan: PlanView): PlanView[] {
  return plans.roots.filter(each => each.plan_id !== plan.plan_id)
}

function sorted(roots: readonly PlanView[]): readonly PlanView[] {
  return roots.toSorted((a, b) => (a.plan_id < b.plan_id ? 1 : -1))
}
