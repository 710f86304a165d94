import type { ToolRequest } from '../../domain/actor/actor.ts'
import { checkRetries } from '../../domain/guardrails/limits.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { reserveCost, settleCost } from './charge-call.ts'
import { recordAudit } from './record-audit.ts'

/**
 * Whether the limits of the plan let a call that failed be tried again: by number, and by what it costs, since each try
 * is a call of its own. `tried`: retries so far.
 */
export function mayTryAgain({ session, plan, cursor }: Turn, request: ToolRequest, tried: number): boolean {
  const { ports } = session
  const key = requestKey({ plan, cursor })
  return ports.store.transaction(() => {
    const { limits } = plan.guardrails
    if (limits.maxRetriesPerFailure !== null) {
      const { kind, used, max, reason } = checkRetries(limits, tried)
      recordAudit(ports, plan, {
        key: `${key}:retry-${tried + 1}`,
        eventType: kind === 'exceeded' ? 'retry_blocked' : 'retry_allowed',
        guardName: 'max_retries_per_failure',
        reason,
        context: { tool: request.tool, current_retries: used, max_retries: max },
      })
      if (kind === 'exceeded') return false
    }
    settleCost(ports, plan, key)
    const { tool, costUsd } = request
    return reserveCost(ports, plan, { stepKey: key, costUsd, tool })?.kind !== 'exceeded'
  })
}
