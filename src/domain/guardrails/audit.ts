/**
 * The record of every check of a limit. Entries never change; the trail keeps the newest and counts them all
 * (requirements 2.13, X-51). Gate answers and changes of guards are events of the plan, not entries here.
 */
export const auditEventTypes = [
  'step_allowed',
  'step_blocked',
  'budget_allowed',
  'budget_blocked',
  'time_allowed',
  'time_blocked',
  'actor_limit_allowed',
  'actor_limit_blocked',
  'retry_allowed',
  'retry_blocked',
  'confirmation_granted',
  'confirmation_required',
] as const
export type AuditEventType = (typeof auditEventTypes)[number]

export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly eventType: AuditEventType
  readonly guardName: string
  readonly result: AuditResult
  readonly reason: string
  readonly context: Readonly<Record<string, unknown>>
}
export type AuditResult = 'allowed' | 'denied'

/** Counters are those of the plan's whole life, whatever the trail still holds. */
export interface AuditCounters {
  readonly allowed: number
  readonly denied: number
  readonly evicted: number
}

export const noCounters: AuditCounters = { allowed: 0, denied: 0, evicted: 0 }

export const MAX_AUDIT_ENTRIES = 10_000

export function resultOf(eventType: AuditEventType): AuditResult {
  return eventType.endsWith('_allowed') || eventType === 'confirmation_granted' ? 'allowed' : 'denied'
}

/** The counters after one more entry in a trail that holds `kept`, and how many of the oldest leave it. */
export function countEntry(
  counters: AuditCounters,
  result: AuditResult,
  kept: number,
): { readonly counters: AuditCounters; readonly leave: number } {
  const leave = Math.max(0, kept + 1 - MAX_AUDIT_ENTRIES)
  return {
    counters: {
      allowed: counters.allowed + (result === 'allowed' ? 1 : 0),
      denied: counters.denied + (result === 'denied' ? 1 : 0),
      evicted: counters.evicted + leave,
    },
    leave,
  }
}
