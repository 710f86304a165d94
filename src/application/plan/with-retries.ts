import type { Failure, Result } from '../../domain/failure.ts'
import { automationGates } from '../../domain/gate/automation.ts'
import type { Verdict } from '../../domain/gate/confidence.ts'
import { backoffMs } from '../../domain/plan/backoff.ts'
import { recordPass } from '../gate/record-judgement.ts'
import { lineage } from '../guardrails/budget-tiers.ts'
import { secondsRun } from '../guardrails/keep-time.ts'
import { isTransient } from './recover-step.ts'
import type { Turn } from './turn.ts'

interface Trying<Value> {
  readonly attempt: () => Promise<Result<Value>>
  /** Whether the profile lets it be tried again by itself. */
  readonly judge: () => Verdict
  /** Whether nothing else stands against it by now, since it is another call; left out where nothing can. */
  readonly isStillAllowed?: () => Promise<boolean>
  /** Whether the limits of the plan do, after so many retries. */
  readonly mayTryAgain: (tried: number) => boolean
  /** Ends the pause between two tries, as a throw. */
  readonly signal: AbortSignal
}

/** T10: transient failures are tried again after a growing pause, where the profile lets that happen by itself. */
export async function withRetries<Value>(turn: Turn, trying: Trying<Value>): Promise<Result<Value>> {
  const { session, plan } = turn
  const { ports } = session
  for (let tried = 0; ; tried++) {
    const result = await trying.attempt()
    if (result.ok || !isTransient(result.failure)) return result
    const verdict = trying.judge()
    const { maxRetriesPerStep } = plan.profile.safety
    if (!verdict.passes || tried >= maxRetriesPerStep || trying.signal.aborted) return result
    const waitMs = pauseBefore(result.failure, backoffMs(tried, ports.random()))
    if (waitMs === null || waitMs >= msLeft(turn)) return result
    await ports.clock.wait(waitMs, trying.signal)
    if ((await trying.isStillAllowed?.()) === false || !trying.mayTryAgain(tried)) return result
    const passed = automationGates.retryTransient.what
    ports.store.transaction(() => recordPass(ports, plan, verdict, passed))
  }
}

/** Whoever wants to be left alone for longer is not worth standing still for unasked: a person decides. */
const LONGEST_WAIT_MS = 120_000

/** What the other side wishes, where that is longer than our own pause; null where nobody should wait so long. */
function pauseBefore({ facts }: Failure, ownMs: number): number | null {
  const wished = facts['retry_after_ms']
  const waitMs = typeof wished === 'number' ? Math.max(ownMs, wished) : ownMs
  return waitMs > LONGEST_WAIT_MS ? null : waitMs
}

/** Until the time is up that the plan, or one above it, may run. */
function msLeft({ session, plan }: Turn): number {
  const { ports } = session
  return Math.min(
    ...lineage(ports, plan).map(each => {
      const { maxWallClockSeconds: max } = each.guardrails.limits
      return max === null ? Number.POSITIVE_INFINITY : (max - secondsRun(ports, each)) * 1_000
    }),
  )
}
