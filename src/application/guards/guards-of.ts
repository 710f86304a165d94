import {
  type GuardSource,
  guardsAtFirst,
  overlaid,
  type Sourced,
  type SourcedGuards,
  strictest,
} from '../../domain/guards/effective-guards.ts'
import type { GuardScope } from '../../domain/guards/guard.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** What holds for a plan now. A child is never freer than its parent, whose guards may have changed since. */
export function guardsOf(ports: Ports, plan: Plan): SourcedGuards {
  const own = overlaid(guardsAtFirst(plan.profile.guards, plan.action.guards), plan.guardOverlay)
  const parent = plan.parentPlanId === null ? null : ports.store.plans.find(plan.parentPlanId)
  return parent ? strictest(own, ofParent(guardsOf(ports, parent))) : own
}

export function scopeOf(plan: Plan): GuardScope {
  return plan.parentPlanId === null ? 'PLAN' : 'SUBPLAN'
}

function ofParent(guards: SourcedGuards): SourcedGuards {
  return {
    maxToolCallsPerStep: named(guards.maxToolCallsPerStep),
    maxTotalCost: named(guards.maxTotalCost),
    toolAllowlists: guards.toolAllowlists.map(named),
    toolDenylist: guards.toolDenylist.map(named),
    requireApprovalForWrites: named(guards.requireApprovalForWrites),
    requireApprovalForApply: named(guards.requireApprovalForApply),
  }
}

function named<Value>({ value, source }: Sourced<Value>): Sourced<Value> {
  const parent: GuardSource = 'parent'
  return { value, source: source && parent }
}
