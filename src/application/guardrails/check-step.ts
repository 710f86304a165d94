import type { ActorRequest } from '../../domain/actor/actor.ts'
import { hasRoom } from '../../domain/guardrails/budget.ts'
import { checkSteps, type Excess } from '../../domain/guardrails/limits.ts'
import type { Next } from '../plan/next.ts'
import { requestKey, type Turn } from '../plan/turn.ts'
import { atLimit } from './at-limit.ts'
import { sessionTier } from './budget-tiers.ts'
import { timeExceeded } from './check-time.ts'
import { recordAudit } from './record-audit.ts'

/** What counts as a step: one thing that the actor does. That it has finished, or cannot go on, is none. */
export function countsAsStep({ kind }: ActorRequest): boolean {
  return !['finish', 'give_up', 'fail'].includes(kind)
}

/** The limits of a plan before one of its steps; null when none stands in the way. */
export function checkStep(turn: Turn, request: ActorRequest): Next | null {
  if (!countsAsStep(request)) return null
  const key = requestKey(turn)
  return turn.session.ports.store.transaction(() => {
    const excess = stepsExceeded(turn, key) ?? timeExceeded(turn, key) ?? sessionExceeded(turn)
    return excess && atLimit(turn, key, excess)
  })
}

/** The step was counted when the actor asked for it. */
function stepsExceeded({ session, plan }: Turn, key: string): Excess | null {
  const { limits, sources } = plan.guardrails
  if (limits.maxSteps === null) return null
  const { ports } = session
  const { kind, used, max, reason } = checkSteps(limits, ports.store.guardrails.steps(plan.planId))
  recordAudit(ports, plan, {
    key: `${key}:step`,
    eventType: kind === 'exceeded' ? 'step_blocked' : 'step_allowed',
    guardName: 'max_steps',
    reason,
    context: { current_step: used, max_steps: max },
  })
  if (kind === 'may_proceed') return null
  return {
    limit: 'steps',
    level: 'plan',
    planId: plan.planId,
    of: plan.name,
    used: used - 1,
    max: max ?? 0,
    wanted: 1,
    source: sources.maxSteps ?? 'plan',
    reason: `${plan.name} has taken all of its ${max} steps`,
  }
}

/** Where one plan of a session had no money left, the others stand still too, until there is room again. */
function sessionExceeded({ session, plan }: Turn): Excess | null {
  const { guardrails } = session.ports.store
  const excess = guardrails.sessionExcess(plan.contextId)
  if (excess === null) return null
  if (!hasRoom(sessionTier(session.ports, plan.contextId), excess.wanted)) return excess
  guardrails.setSessionExcess(plan.contextId, null)
  return null
}
