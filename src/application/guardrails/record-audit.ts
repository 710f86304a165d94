import { type AuditEventType, resultOf } from '../../domain/guardrails/audit.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

export interface Audited {
  /** Names the check: looked at again, e.g. after a crash, it is the same one. */
  readonly key: string
  readonly eventType: AuditEventType
  readonly guardName: string
  readonly reason: string
  readonly context: Readonly<Record<string, unknown>>
}

/** Exactly one entry for each check of a limit (requirements AGR-07). */
export function recordAudit(ports: Ports, { planId }: Pick<Plan, 'planId'>, audited: Audited): void {
  const { key, ...entry } = audited
  ports.store.guardrails.addEntry(planId, key, {
    ...entry,
    timestamp: ports.clock.now(),
    result: resultOf(audited.eventType),
  })
}
