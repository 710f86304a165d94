import { checkRetries } from '../../domain/guardrails/limits.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { recordAudit } from './record-audit.ts'

interface Retry {
  /** Of the tool, or of the model. */
  readonly name: string
  /** Retries so far. */
  readonly tried: number
}

/**
 * Whether the limits of the plan let a call that failed be tried again: by number, and by what it costs, since each try
 * is a call of its own. `pay`: settles the last try and reserves the next, in the same transaction.
 */
export function mayTryAgain(
  { session, plan, cursor }: Turn,
  { name, tried }: Retry,
  pay: () => boolean,
): boolean {
  const { ports } = session
  return ports.store.transaction(() => {
    const { limits } = plan.guardrails
    if (limits.maxRetriesPerFailure !== null) {
      const { kind, used, max, reason } = checkRetries(limits, tried)
      recordAudit(ports, plan, {
        key: `${requestKey({ plan, cursor })}:retry-${tried + 1}`,
        eventType: kind === 'exceeded' ? 'retry_blocked' : 'retry_allowed',
        guardName: 'max_retries_per_failure',
        reason,
        context: { tool: name, current_retries: used, max_retries: max },
      })
      if (kind === 'exceeded') return false
    }
    return pay()
  })
}
