import { mapped, type Result } from '../../domain/failure.ts'
import { flagOf } from '../../domain/gate/automation.ts'
import type { AuditCounters, AuditResult } from '../../domain/guardrails/audit.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { PlanEvent } from '../events.ts'
import { eventsOfPlan } from '../events-of-plan.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { type LimitFacts, limitFacts } from './limit-facts.ts'

/** One line of what was allowed, denied, asked and changed. */
export interface AuditLine {
  readonly timestamp: string
  /** guardrail: a check of a limit; plan: from the plan's own events. */
  readonly log: 'guardrail' | 'plan'
  readonly eventType: string
  readonly guardName: string
  readonly result: AuditResult | null
  readonly reason: string | null
  readonly context: Readonly<Record<string, unknown>>
}

export interface PlanAudit {
  readonly plan: Plan
  /** Oldest first. */
  readonly lines: readonly AuditLine[]
  readonly counters: AuditCounters
  readonly limits: LimitFacts
}

export interface AuditFilter {
  readonly eventType: string | null
  readonly result: AuditResult | null
  /** The newest so many. */
  readonly limit: number
}

/**
 * The trail of a plan's limits, and with it, marked apart, what its own events and steps say about guards, gates,
 * refused calls, profile and limits: the twelve types of the trail are for checks of limits alone (requirements AUD-06).
 */
export function planAudit(ports: Ports, planRef: string, filter: AuditFilter): Result<PlanAudit> {
  return mapped(findPlan(ports, planRef), plan => {
    const lines = [...trailOf(ports, plan), ...planLinesOf(ports, plan), ...refusedCallsOf(ports, plan)]
      .filter(line => filter.eventType === null || line.eventType === filter.eventType)
      .filter(line => filter.result === null || line.result === filter.result)
      .sort((one, other) => one.timestamp.localeCompare(other.timestamp))
    return {
      plan,
      lines: lines.slice(Math.max(0, lines.length - filter.limit)),
      counters: ports.store.guardrails.counters(plan.planId),
      limits: limitFacts(ports, plan),
    }
  })
}

function trailOf({ store }: Ports, { planId }: Plan): AuditLine[] {
  return store.guardrails.entries(planId).map(entry => ({ ...entry, log: 'guardrail' }))
}

function planLinesOf(ports: Ports, { planId }: Plan): AuditLine[] {
  return [...eventsOfPlan(ports, planId)].flatMap(event => lineOf(event) ?? [])
}

/** Calls that their tool took no part in, e.g. of a path that leaves the sandbox. */
function refusedCallsOf({ store }: Ports, { planId }: Plan): AuditLine[] {
  return store.steps.listByPlan(planId).flatMap(({ kind, tool, outcome, endedAt, stepId, input }) => {
    if (kind !== 'tool' || tool === null || endedAt === null || outcome?.kind !== 'tool_refused') return []
    const { code, message } = outcome.failure
    if (code !== 'invalid_input' && code !== 'denied') return []
    const refused = { eventType: 'call_refused', guardName: tool, result: 'denied', reason: message } as const
    return [{ timestamp: endedAt, log: 'plan', ...refused, context: { step_id: stepId, input } }]
  })
}

/** Null for events that allow, deny and change nothing. */
function lineOf({ at, body }: PlanEvent): AuditLine | null {
  const line = { timestamp: at, log: 'plan' } as const
  switch (body.type) {
    case 'GATE_RESOLVED': {
      const { gate } = body
      if (gate.status.kind !== 'resolved') return null
      const { answer, by } = gate.status
      const { kind, question, gateId, confidence, threshold } = gate
      return {
        ...line,
        eventType: `gate_${answer.decision}`,
        guardName: kind,
        result: answer.decision === 'approve' ? 'allowed' : 'denied',
        reason: answer.note ?? answer.guidance,
        context: { gate_id: gateId, question, option_id: answer.optionId, by, confidence, threshold },
      }
    }
    case 'GATE_PASSED': {
      const { about, confidence } = body.judgement
      const { effective, threshold } = confidence
      const guardName = flagOf(confidence.gate)
      const context = { about, confidence: effective, threshold }
      return { ...line, eventType: 'gate_passed', guardName, result: 'allowed', reason: about, context }
    }
    case 'GATE_VOIDED': {
      const { gate } = body
      const reason = gate.status.kind === 'void' ? gate.status.reason : null
      const context = { gate_id: gate.gateId, question: gate.question }
      return { ...line, eventType: 'gate_void', guardName: gate.kind, result: null, reason, context }
    }
    default:
      return isEdit(body) ? editLine(at, body) : null
  }
}

/** What people changed about a plan's guards, profile or limits, and what guards stopped; each owner names its own. */
const EDITS: readonly string[] = ['LIMITS_CHANGED', 'GUARDS_CHANGED', 'GUARD_STOPPED', 'PROFILE_CHANGED']

function isEdit({ type }: PlanEvent['body']): boolean {
  return EDITS.includes(type)
}

function editLine(timestamp: string, { type: name, ...facts }: PlanEvent['body']): AuditLine {
  const type: string = name
  const context: Readonly<Record<string, unknown>> = { ...facts }
  const reason = typeof context['reason'] === 'string' ? context['reason'] : null
  return {
    timestamp,
    log: 'plan',
    eventType: type.toLowerCase(),
    guardName: type === 'GUARD_STOPPED' ? 'guards' : type.toLowerCase().replace('_changed', ''),
    result: type === 'GUARD_STOPPED' ? 'denied' : null,
    reason,
    context,
  }
}
