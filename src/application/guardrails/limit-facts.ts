import type { Spending } from '../../domain/guardrails/charge.ts'
import type { Guardrails, LimitSource } from '../../domain/guardrails/limits.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { lineage, tierOfPlan } from './budget-tiers.ts'
import { secondsRun } from './keep-time.ts'

/** How far a plan has come against its limits, for whoever looks at it. */
export interface LimitFacts {
  readonly guardrails: Guardrails
  readonly steps: number
  readonly seconds: number
  readonly budget: {
    readonly spending: Spending
    readonly limitUsd: number | null
    readonly source: LimitSource | null
    readonly of: string | null
  }
}

export function limitFacts(ports: Ports, plan: Plan): LimitFacts {
  return {
    guardrails: plan.guardrails,
    steps: ports.store.guardrails.steps(plan.planId),
    seconds: secondsRun(ports, plan),
    budget: budgetOf(ports, plan),
  }
}

/** A plan can spend what it may itself, and no more than a plan above it has left. */
function budgetOf(ports: Ports, plan: Plan): LimitFacts['budget'] {
  const [own, ...above] = lineage(ports, plan).map(each => tierOfPlan(ports, each))
  if (!own) throw new Error(`plan ${plan.planId} is not in its own line`)
  const { spentUsd, reservedUsd } = own
  const spending = ports.store.ledger.spentBelow(plan.planId)
  const limits = [
    { limitUsd: own.limitUsd, source: own.source, of: own.of },
    ...above.map(tier => ({
      limitUsd:
        tier.limitUsd === null
          ? null
          : tier.limitUsd - (tier.spentUsd + tier.reservedUsd) + spentUsd + reservedUsd,
      source: 'parent' as const,
      of: tier.of,
    })),
  ]
  const tightest = limits
    .filter(each => each.limitUsd !== null)
    .sort((one, other) => (one.limitUsd ?? 0) - (other.limitUsd ?? 0))[0]
  return { spending, ...(tightest ?? { limitUsd: null, source: null, of: null }) }
}
