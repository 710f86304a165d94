import { type Result, refuse } from '../../domain/failure.ts'
import { usdWords } from '../../domain/guardrails/budget.ts'
import type { Ports } from '../ports.ts'
import { orgTier } from './budget-tiers.ts'

/** Where the organisation has spent its month no new plan begins; those that run stop at their next cost. */
export function refusalWithoutMoney(ports: Ports): Result<never> | null {
  const { limitUsd, spentUsd, reservedUsd, of } = orgTier(ports)
  if (limitUsd === null || spentUsd + reservedUsd < limitUsd) return null
  return refuse(
    'budget_exceeded',
    `The budget of the organisation is spent for ${of}: ${usdWords(spentUsd)} of ${usdWords(limitUsd)}. No plan was made. Whoever administers this machine can raise budget.org.max-cost.`,
    { level: 'org', month: of, spent_usd: spentUsd, limit_usd: limitUsd },
  )
}
