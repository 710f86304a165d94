import { ASK, type Guard } from './guard.ts'

/** About what was spent; what a call itself would cost is asked of the budgets afterwards. */
export const budgetCap: Guard = ({ maxTotalCost: cap }, { costSoFar }) => {
  if (cap === null) return null
  const remedy = `raise max_total_cost ${ASK}`
  if (costSoFar === null) return `what was spent is not known, and the cap is ${dollars(cap)}; ${remedy}`
  return costSoFar > cap ? `${dollars(costSoFar)} are spent and the cap is ${dollars(cap)}; ${remedy}` : null
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}
