import { FailureError } from '../../domain/failure.ts'
import { type BudgetTier, monthOf } from '../../domain/guardrails/budget.ts'
import { nothingSpent, type Spending } from '../../domain/guardrails/charge.ts'
import type { LimitSource } from '../../domain/guardrails/limits.ts'
import { shortId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { amountSetting } from './limits-for.ts'

/**
 * Every level that a plan's next cost counts for, from the plan upwards: itself and each plan above it with all that is
 * below, the plans under its profile, its session, and the organisation in this month.
 */
export function budgetTiers(ports: Ports, plan: Plan): BudgetTier[] {
  const { ledger } = ports.store
  return [
    ...lineage(ports, plan).map(each => tierOfPlan(ports, each)),
    {
      level: 'profile',
      planId: null,
      of: plan.profile.name,
      source: 'profile',
      ...limited(plan.profile.safety.maxTotalCost, () => ledger.spentUnderProfile(plan.profile.name)),
    },
    sessionTier(ports, plan.contextId),
    orgTier(ports),
  ]
}

/** A plan and those above it, upwards. */
export function lineage({ store }: Ports, plan: Plan): Plan[] {
  const line = [plan]
  for (let above = plan.parentPlanId; above; ) {
    const found = store.plans.find(above)
    if (!found) break
    line.push(found)
    above = found.parentPlanId
  }
  return line
}

export function tierOfPlan({ store }: Ports, plan: Plan): BudgetTier {
  const { spentUsd, reservedUsd } = store.ledger.spentBelow(plan.planId)
  return {
    level: 'plan',
    planId: plan.planId,
    of: plan.name,
    ...budgetOf(plan),
    spentUsd,
    reservedUsd,
  }
}

/** The hard cap of the profile's safety, and what was set for the plan: the tighter one. */
function budgetOf({ guardrails, profile }: Plan): { limitUsd: number | null; source: LimitSource } {
  const own = guardrails.limits.toolBudget
  const hard = profile.safety.maxCostPerPlan
  if (hard !== null && (own === null || hard < own)) return { limitUsd: hard, source: 'profile' }
  return { limitUsd: own, source: guardrails.sources.toolBudget ?? 'plan' }
}

export function sessionTier(ports: Ports, contextId: string): BudgetTier {
  const { ledger } = ports.store
  return {
    level: 'session',
    planId: null,
    of: shortId(contextId),
    source: 'global',
    ...limited(settingOrNone(ports, 'budget.session.max-cost'), () => ledger.spentInSession(contextId)),
  }
}

export function orgTier(ports: Ports): BudgetTier {
  const month = monthOf(ports.clock.now())
  const { ledger } = ports.store
  return {
    level: 'org',
    planId: null,
    of: month,
    source: 'global',
    ...limited(settingOrNone(ports, 'budget.org.max-cost'), () => ledger.spentInMonth(month)),
  }
}

/** Where nothing limits, nobody needs the sum. */
function limited(
  limitUsd: number | null,
  spending: () => Spending,
): Pick<BudgetTier, 'limitUsd' | 'spentUsd' | 'reservedUsd'> {
  const { spentUsd, reservedUsd } = limitUsd === null ? nothingSpent : spending()
  return { limitUsd, spentUsd, reservedUsd }
}

/** A budget that cannot be read must not be taken for none. */
function settingOrNone(ports: Ports, key: string): number | null {
  const amount = amountSetting(ports, key, null)
  if (!amount.ok) throw new FailureError(amount.failure)
  return amount.value
}
