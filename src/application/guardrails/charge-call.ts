/**
 * The cost of a call: reserved before it begins, settled when it has ended, released when it never began. A process
 * that dies in between leaves the reservation, which counts until whoever takes the plan over closes it.
 */
import {
  type BudgetTier,
  type BudgetVerdict,
  checkBudget,
  monthOf,
  tightestTier,
} from '../../domain/guardrails/budget.ts'
import { type Amount, knownUsd } from '../../domain/guardrails/charge.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { budgetTiers, lineage } from './budget-tiers.ts'
import { tokensExceeded } from './check-tokens.ts'
import { recordAudit } from './record-audit.ts'

interface CostingCall {
  readonly stepKey: string
  /** The most that it comes to, in US dollars. */
  readonly costUsd: number
  /** The tool, or the model. */
  readonly tool: string
  /** Of a model, the most that it reads and writes. */
  readonly tokens?: number
  readonly basis?: Amount['basis']
}

/**
 * Null: nothing limits a plan whose call costs nothing. Checked and reserved in one go, so that calls of plans that run
 * at once, here or in another process, cannot all take what is left for one. Call it inside a transaction.
 */
export function reserveCost(ports: Ports, plan: Plan, call: CostingCall): BudgetVerdict | null {
  const { ledger } = ports.store
  const before = ledger.ofStep(call.stepKey)
  // It was cut short after it had been reserved, and is about to begin.
  if (before.at(-1)?.state === 'reserved') return null
  const { costUsd, tokens = 0, basis = 'known' } = call
  const key = `${call.stepKey}:call-${before.length + 1}`
  const tooMany = tokens > 0 ? tokensExceeded(ports, plan, { key, tokens, model: call.tool }) : null
  if (tooMany)
    return { kind: 'exceeded', exceededLevel: tooMany.level, reason: tooMany.reason, excess: tooMany }
  const tiers = budgetTiers(ports, plan)
  const tightest = tightestTier(tiers)
  if (costUsd === 0 && tokens === 0 && tightest === null) return null
  const verdict = checkBudget(tiers, costUsd)
  if (tightest) audit(ports, plan, { ...call, key, verdict, tightest })
  if (verdict.kind === 'may_proceed' && (costUsd > 0 || tokens > 0))
    ledger.reserve({
      key,
      stepKey: call.stepKey,
      planId: plan.planId,
      sessionId: plan.contextId,
      profile: plan.profile.name,
      month: monthOf(ports.clock.now()),
      state: 'reserved',
      usd: costUsd,
      tokens,
      basis,
    })
  return verdict
}

function audit(
  ports: Ports,
  plan: Plan,
  check: CostingCall & { key: string; verdict: BudgetVerdict; tightest: BudgetTier },
): void {
  const { verdict, tightest, tool, costUsd, basis } = check
  const isExceeded = verdict.kind === 'exceeded'
  recordAudit(ports, plan, {
    key: `${check.key}:budget`,
    eventType: isExceeded ? 'budget_blocked' : 'budget_allowed',
    guardName: 'tool_budget',
    reason: verdict.reason,
    context: {
      tool,
      cost_usd: costUsd,
      ...(basis === 'assumed' ? { price: 'unknown; the assumed price counts' } : {}),
      level: isExceeded ? verdict.exceededLevel : tightest.level,
      of: isExceeded ? verdict.excess.of : tightest.of,
      used_usd: isExceeded ? verdict.excess.used : tightest.spentUsd + tightest.reservedUsd,
      limit_usd: isExceeded ? verdict.excess.max : tightest.limitUsd,
    },
  })
}

/**
 * The call has ended, however: what it costs counts from now on as spent. `came`: what it came to, where that is known
 * only now; else what was reserved. Call it inside a transaction.
 */
export function settleCost(
  ports: Ports,
  plan: Pick<Plan, 'planId' | 'rootPlanId'>,
  stepKey: string,
  came?: Amount,
): void {
  for (const charge of ports.store.ledger.ofStep(stepKey))
    if (charge.state === 'reserved') settle(ports, plan, charge.key, came ?? charge)
}

function settle(
  ports: Ports,
  { planId, rootPlanId }: Pick<Plan, 'planId' | 'rootPlanId'>,
  key: string,
  amount: Amount,
): void {
  const { ledger, plans, events } = ports.store
  if (!ledger.close(key, 'settled', amount)) return
  const plan = plans.find(planId)
  for (const each of plan ? lineage(ports, plan) : []) {
    const spending = ledger.spentBelow(each.planId)
    events.append(each.planId, rootPlanId, {
      type: 'COST_CHARGED',
      usd: amount.basis === 'known' ? amount.usd : null,
      planUsd: knownUsd(spending),
      tokens: amount.tokens,
      planTokens: spending.spentTokens,
    })
  }
}

/** What was reserved for a call that was not made after all. */
export function releaseUnused(ports: Ports, stepKey: string): void {
  ports.store.transaction(() => {
    const step = ports.store.steps.findByKey(stepKey)
    if (step?.status !== 'started') releaseCost(ports, stepKey)
  })
}

/** Nothing came of the call, and nobody asks money for it. Call it inside a transaction. */
export function releaseCost({ store }: Ports, stepKey: string): void {
  for (const { key, state } of store.ledger.ofStep(stepKey))
    if (state === 'reserved') store.ledger.close(key, 'released', NOTHING)
}

const NOTHING: Amount = { usd: 0, tokens: 0, basis: 'known' }

/**
 * Nobody works on the plan any more: a call that had begun may have cost what was reserved for it, and one that had not
 * costs nothing. Call it inside a transaction, before the steps are ended.
 */
export function closeReservations(ports: Ports, plan: { planId: PlanId; rootPlanId: PlanId }): void {
  for (const charge of ports.store.ledger.reserved(plan.planId)) {
    const { key, stepKey } = charge
    if (ports.store.steps.findByKey(stepKey)?.status === 'started') settle(ports, plan, key, charge)
    else ports.store.ledger.close(key, 'released', NOTHING)
  }
}
