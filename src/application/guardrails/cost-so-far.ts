import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** US dollars that a plan and those below it have cost, with what is reserved for calls that are under way. */
export function costSoFar({ store }: Ports, { planId }: Pick<Plan, 'planId'>): number {
  const { spentUsd, reservedUsd } = store.ledger.spentBelow(planId)
  return spentUsd + reservedUsd
}
