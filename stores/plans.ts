import type { PlanView } from '../src/a2a/protocol/views/plan.ts'

export interface Plans {
  readonly byId: Map<string, PlanView>
  /** Root plans, newest first: a ULID begins with its time. */
  roots: readonly PlanView[]
  /** Ids of the child plans of each plan, as they were started. */
  readonly childIds: Map<string, readonly string[]>
}

export type PlanOrder = 'newest' | 'waiting'

export function createPlans(): Plans {
  return { byId: new Map(), roots: [], childIds: new Map() }
}

export function putPlan(plans: Plans, plan: PlanView): void {
  plans.byId.set(plan.plan_id, plan)
  if (plan.parent_plan_id === null) plans.roots = sorted([...others(plans, plan), plan])
  else noteChild(plans, plan.parent_plan_id, plan.plan_id)
}

export function replacePlans(plans: Plans, all: readonly PlanView[]): void {
  plans.byId.clear()
  plans.childIds.clear()
  for (const plan of all) {
    plans.byId.set(plan.plan_id, plan)
    if (plan.parent_plan_id !== null) noteChild(plans, plan.parent_plan_id, plan.plan_id)
  }
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

export function childrenOfPlan(plans: Plans, planId: string): PlanView[] {
  return (plans.childIds.get(planId) ?? []).flatMap(id => plans.byId.get(id) ?? [])
}

/** Its children, their children, and so on. */
export function descendantsOf(plans: Plans, planId: string): PlanView[] {
  const found: PlanView[] = []
  const open = [planId]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of childrenOfPlan(plans, next)) {
      found.push(child)
      open.push(child.plan_id)
    }
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

/** A parent tells of its children only when it moves itself, so a child is noted by its own word. */
function noteChild({ childIds }: Plans, parentId: string, childId: string): void {
  const known = childIds.get(parentId) ?? []
  if (!known.includes(childId)) childIds.set(parentId, [...known, childId].sort())
}

function others(plans: Plans, plan: PlanView): PlanView[] {
  return plans.roots.filter(each => each.plan_id !== plan.plan_id)
}

function sorted(roots: readonly PlanView[]): readonly PlanView[] {
  return roots.toSorted((a, b) => (a.plan_id < b.plan_id ? 1 : -1))
}
