import { checkTokens, type Excess } from '../../domain/guardrails/limits.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'
import { lineage } from './budget-tiers.ts'
import { recordAudit } from './record-audit.ts'

interface ReadingCall {
  /** Names the call. */
  readonly key: string
  readonly model: string
  /** The most that it reads and writes. */
  readonly tokens: number
}

/** The tokens of a plan count for itself and for each plan above it. Call it in the transaction that reserves them. */
export function tokensExceeded(ports: Ports, plan: Plan, call: ReadingCall): Excess | null {
  for (const each of lineage(ports, plan)) {
    const { limits, sources } = each.guardrails
    if (limits.maxTokens === null) continue
    const { spentTokens, reservedTokens } = ports.store.ledger.spentBelow(each.planId)
    const { kind, used, max, reason } = checkTokens(limits, spentTokens + reservedTokens, call.tokens)
    recordAudit(ports, plan, {
      key: `${call.key}:tokens:${each.planId}`,
      eventType: kind === 'exceeded' ? 'budget_blocked' : 'budget_allowed',
      guardName: 'max_tokens',
      reason: each === plan ? reason : `${each.name}: ${reason}`,
      context: {
        model: call.model,
        tokens: call.tokens,
        used_tokens: used,
        max_tokens: max,
        plan: each.name,
      },
    })
    if (kind === 'may_proceed') continue
    return {
      limit: 'tokens',
      level: 'plan',
      planId: each.planId,
      of: each.name,
      used,
      max: max ?? 0,
      wanted: call.tokens,
      source: sources.maxTokens ?? 'plan',
      reason: `${each.name} has used ${used} of its ${max} tokens, and the next answer of ${call.model} may come to ${call.tokens}`,
    }
  }
  return null
}
