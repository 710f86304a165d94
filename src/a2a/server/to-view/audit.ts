import type { AuditLine, PlanAudit } from '../../../application/guardrails/plan-audit.ts'
import { MAX_AUDIT_ENTRIES } from '../../../domain/guardrails/audit.ts'
import type { AuditEntryView, AuditView } from '../../protocol/views/limits.ts'
import { limitValuesView } from './limits.ts'

export function auditView({ plan, lines, counters, limits }: PlanAudit): AuditView {
  const {
    max_tool_calls_per_invocation,
    max_retries_per_failure,
    required_confirmations,
    max_steps,
    tool_budget,
    max_tokens,
    max_wall_clock_seconds,
  } = limitValuesView(limits.guardrails.limits)
  return {
    plan_id: plan.planId,
    entries: lines.map(entryView),
    metadata: {
      guardrail_audit_trail: {
        allowed_count: counters.allowed,
        denied_count: counters.denied,
        evicted_count: counters.evicted,
        max_entries: MAX_AUDIT_ENTRIES,
      },
      autonomy_guardrails: {
        max_steps,
        tool_budget,
        max_tokens,
        max_wall_clock_seconds,
        actor_limits: { max_tool_calls_per_invocation, max_retries_per_failure },
        required_confirmations,
        step_count: limits.steps,
        budget_spent: limits.budget.spending.spentUsd,
        budget_assumed: limits.budget.spending.assumedUsd,
        tokens_used: limits.budget.spending.spentTokens,
        start_time: plan.startedAt,
      },
    },
  }
}

function entryView(line: AuditLine): AuditEntryView {
  const { timestamp, log, eventType, guardName, result, reason, context } = line
  return { timestamp, log, event_type: eventType, guard_name: guardName, result, reason, context }
}
