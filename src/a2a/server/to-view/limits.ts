import type { LimitFacts } from '../../../application/guardrails/limit-facts.ts'
import { knownUsd } from '../../../domain/guardrails/charge.ts'
import type { Limits } from '../../../domain/guardrails/limits.ts'
import type { LimitValuesView } from '../../protocol/views/limits.ts'
import type { PlanView } from '../../protocol/views/plan.ts'

export function budgetView({ budget }: LimitFacts): PlanView['budget'] {
  const { spending, limitUsd, source, of } = budget
  const { spentUsd, assumedUsd, reservedUsd } = spending
  return { spent: spentUsd, assumed: assumedUsd, reserved: reservedUsd, limit: limitUsd, source, of }
}

export function costView({ budget: { spending } }: LimitFacts): PlanView['cost'] {
  return { usd: knownUsd(spending), tokens: spending.spentTokens }
}

export function limitsView({ guardrails, steps, seconds, budget }: LimitFacts): PlanView['limits'] {
  const { limits, sources, exceeded } = guardrails
  const bare = (field: keyof typeof sources, max: number | null) => ({ max, source: sources[field] ?? null })
  return {
    steps: { used: steps, ...bare('maxSteps', limits.maxSteps) },
    tokens: {
      used: budget.spending.spentTokens,
      reserved: budget.spending.reservedTokens,
      ...bare('maxTokens', limits.maxTokens),
    },
    seconds: { used: Math.round(seconds), ...bare('maxWallClockSeconds', limits.maxWallClockSeconds) },
    tool_calls_per_invocation: bare('maxToolCallsPerInvocation', limits.maxToolCallsPerInvocation),
    retries_per_failure: bare('maxRetriesPerFailure', limits.maxRetriesPerFailure),
    required_confirmations: [...limits.requiredConfirmations],
    exceeded: exceeded && {
      limit: exceeded.limit,
      level: exceeded.level,
      of: exceeded.of,
      reason: exceeded.reason,
    },
  }
}

export function limitValuesView(limits: Limits): LimitValuesView {
  return {
    max_steps: limits.maxSteps,
    tool_budget: limits.toolBudget,
    max_tokens: limits.maxTokens,
    max_wall_clock_seconds: limits.maxWallClockSeconds,
    max_tool_calls_per_invocation: limits.maxToolCallsPerInvocation,
    max_retries_per_failure: limits.maxRetriesPerFailure,
    required_confirmations: [...limits.requiredConfirmations],
  }
}
