import type { AuditCounters, AuditEntry } from '../../domain/guardrails/audit.ts'
import type { Amount, Charge, Spending } from '../../domain/guardrails/charge.ts'
import type { Excess } from '../../domain/guardrails/limits.ts'
import type { RunningTime } from '../../domain/guardrails/running-time.ts'
import type { PlanId } from '../../domain/ids.ts'

/** What calls cost. Amounts are exact to a billionth of a dollar. */
export interface Ledger {
  /** False when that call has a row already. */
  reserve(charge: Charge): boolean
  /** False when it was not reserved any more. */
  close(key: string, state: 'settled' | 'released', what: Amount): boolean
  /** In order of recording. */
  ofStep(stepKey: string): Charge[]
  reserved(planId: PlanId): Charge[]
  spentByPlan(planId: PlanId): Spending
  /** By a plan and those below it. */
  spentBelow(planId: PlanId): Spending
  spentInSession(sessionId: string): Spending
  spentUnderProfile(profile: string): Spending
  spentInMonth(month: string): Spending
}

/** How far plans have come against their limits. */
export interface GuardrailRepository {
  steps(planId: PlanId): number
  addStep(planId: PlanId): void
  runningTime(planId: PlanId): RunningTime
  setRunningTime(planId: PlanId, time: RunningTime): void
  /** Written once for each key and type; the oldest entries leave a trail that is full, and stay counted. */
  addEntry(planId: PlanId, checkKey: string, entry: AuditEntry): void
  /** Oldest first. */
  entries(planId: PlanId): AuditEntry[]
  counters(planId: PlanId): AuditCounters
  addCall(planId: PlanId, call: string, result: string, hasWritten: boolean): void
  /** The limit that a plan of the session met while it holds the others up; null when none does. */
  sessionExcess(sessionId: string): Excess | null
  setSessionExcess(sessionId: string, excess: Excess | null): void
  /** How often a call had the same result since something new was written: the highest such number. */
  equalCalls(planId: PlanId, call: string): number
}
