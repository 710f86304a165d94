import { checkToolCalls, type Excess } from '../../domain/guardrails/limits.ts'
import { callSignature, isRepetition } from '../../domain/guardrails/repetition.ts'
import type { Tool } from '../../domain/tool.ts'
import type { StepApproval, StepCall } from '../gate/approve-step.ts'
import { answerTo } from '../gate/find-answer.ts'
import type { Turn } from '../plan/turn.ts'
import { atLimit, limitKey } from './at-limit.ts'
import { reserveCost } from './charge-call.ts'
import { timeExceeded } from './check-time.ts'
import { confirmCall } from './confirm-call.ts'
import { recordAudit } from './record-audit.ts'
import { mostEqualCalls } from './repeated-calls.ts'

/**
 * The limits of a plan before one of its calls: time, number of calls, repetition, what a person must confirm, and last
 * the money, which is reserved here. All in one transaction, so that no two calls take the same room.
 */
export function checkGuardrails(turn: Turn, tool: Tool, call: StepCall): StepApproval | null {
  return turn.session.ports.store.transaction(() => {
    const excess =
      timeExceeded(turn, `${call.key}:call`) ?? callsExceeded(turn, call) ?? repeated(turn, tool, call)
    if (excess) return { kind: 'asked', next: atLimit(turn, call.key, excess) }
    return confirmCall(turn, call) ?? payFor(turn, call)
  })
}

/** The calls of one phase are those of one invocation of its actor. */
function callsExceeded({ session, plan, cursor }: Turn, call: StepCall): Excess | null {
  const { limits, sources } = plan.guardrails
  if (limits.maxToolCallsPerInvocation === null) return null
  const made = session.ports.store.steps
    .listByPlan(plan.planId)
    .filter(
      step =>
        ['tool', 'validate'].includes(step.kind) &&
        step.startedAt !== null &&
        step.attempt === plan.attempt &&
        step.phase === cursor.phase &&
        step.idempotencyKey !== call.key,
    ).length
  const { kind, used, max, reason } = checkToolCalls(limits, made)
  recordAudit(session.ports, plan, {
    key: `${call.key}:calls`,
    eventType: kind === 'exceeded' ? 'actor_limit_blocked' : 'actor_limit_allowed',
    guardName: 'max_tool_calls_per_invocation',
    reason,
    context: { tool: call.tool, current_calls: used, max_calls: max },
  })
  if (kind === 'may_proceed') return null
  return {
    limit: 'tool_calls',
    level: 'plan',
    planId: plan.planId,
    of: plan.name,
    used,
    max: max ?? 0,
    wanted: 1,
    source: sources.maxToolCallsPerInvocation ?? 'plan',
    reason: `${plan.name} has made ${used} of the ${max} tool calls that its actor may make in a phase`,
  }
}

/** A person who lets it go on is asked again after as many more. */
function repeated({ session, plan }: Turn, tool: Tool, call: StepCall): Excess | null {
  const { ports } = session
  const most = mostEqualCalls(ports)
  if (most === 0) return null
  const equal = ports.store.guardrails.equalCalls(plan.planId, ports.digest(callSignature(tool, call.input)))
  if (!isRepetition(equal, most)) return null
  const answer = answerTo(ports, plan, limitKey(call.key, 'repeated_calls'))
  const goesOn = answer?.decision === 'approve'
  const reason = `${call.tool} was called ${equal} times with the same arguments and the same result`
  recordAudit(ports, plan, {
    key: `${call.key}:repeated`,
    eventType: goesOn ? 'actor_limit_allowed' : 'actor_limit_blocked',
    guardName: 'repeated_calls',
    reason: goesOn ? `${reason}; a person let it go on` : reason,
    context: { tool: call.tool, equal_calls: equal, max_equal_calls: most },
  })
  if (goesOn) return null
  const { planId, name } = plan
  const limit = { limit: 'repeated_calls', level: 'plan', planId, of: name, source: 'global' } as const
  return { ...limit, used: equal, max: most, wanted: 1, reason }
}

function payFor(turn: Turn, { key, tool, costUsd }: StepCall): StepApproval | null {
  const { session, plan } = turn
  const verdict = reserveCost(session.ports, plan, { stepKey: key, costUsd, tool })
  if (verdict?.kind !== 'exceeded') return null
  return { kind: 'asked', next: atLimit(turn, key, verdict.excess) }
}
