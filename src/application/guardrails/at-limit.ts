import type { Gate, GateKind, GateOption } from '../../domain/gate/gate.ts'
import {
  amountWords,
  type Excess,
  fieldOf,
  raisedLimit,
  type StoppingLimit,
} from '../../domain/guardrails/limits.ts'
import { phaseOf, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { neverAsks } from '../../domain/profile/profile.ts'
import { closeGate } from '../gate/close-gates.ts'
import { openGate, type Question } from '../gate/open-gate.ts'
import { changePlan, savePlan } from '../plan/change-plan.ts'
import type { Next } from '../plan/next.ts'
import type { Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { planOf } from '../references.ts'

/**
 * A limit is reached: the plan keeps what it has done and asks how to go on, or ends as failed where its profile never
 * asks. Approvals that wait in the reach of that limit expire with the same reason, since what they would allow could
 * not be done.
 */
export function atLimit(
  { session, plan }: Pick<Turn, 'session' | 'plan'>,
  key: string,
  excess: Excess,
): Next {
  const { ports } = session
  const expire = (asking: Plan) => expireApprovals(ports, asking, excess)
  if (neverAsks(plan.profile))
    return { event: 'failed', reason: excess.reason, exceeded: excess, commit: expire }
  return {
    event: 'waits',
    reason: excess.reason,
    exceeded: excess,
    commit: asking => {
      openGate(ports, asking, questionAbout(excess, limitKey(key, excess.limit)))
      expire(asking)
    },
  }
}

/** Names the question about a limit that one request met. */
export function limitKey(key: string, limit: StoppingLimit): string {
  return `${key}:limit:${limit}`
}

function questionAbout(excess: Excess, requestKey: string): Question {
  const { limit, level, planId, of, used, max, wanted, source } = excess
  const raiseTo = canBeRaised(excess) ? raisedLimit(excess) : null
  return {
    kind: 'budget',
    requestKey,
    question: `${excess.reason}. Go on?`,
    subject: { kind: 'limit', limit, level, planId, of, used, max, wanted, source, raiseTo },
    options: [wayOn(excess, raiseTo), STOP],
    reason: 'a limit is reached',
    confidence: null,
  }
}

/** The cap of a profile is hard, and budgets above plans are those of the settings. */
function canBeRaised({ limit, level, source }: Excess): boolean {
  return level === 'plan' && source !== 'profile' && fieldOf(limit) !== null
}

function wayOn({ limit, level, of }: Excess, raiseTo: number | null): GateOption {
  if (raiseTo !== null)
    return {
      id: 'raise',
      label: `Raise it to ${amountWords(limit, raiseTo)}`,
      description: `For ${of} alone. It is on record who did.`,
      effect: 'approve',
    }
  if (limit === 'repeated_calls')
    return { id: 'go_on', label: 'Go on', description: 'Asked again after as many more.', effect: 'approve' }
  const description =
    level === 'plan' || level === 'profile'
      ? 'The cap of a profile is not raised here: it helps once there is room again.'
      : `Once budget.${level}.max-cost in the settings leaves room: agents config set budget.${level}.max-cost AMOUNT`
  return { id: 'again', label: 'Look again', description, effect: 'approve' }
}

const STOP: GateOption = {
  id: 'stop',
  label: 'Stop the plan here',
  description: 'What it has done stays in its sandbox; it can be resumed or corrected later.',
  effect: 'reject',
}

/** Questions whose yes lets work go on. What asks about work that is done, or that went wrong, stays. */
const APPROVALS: readonly GateKind[] = [
  'phase',
  'decision',
  'child',
  'tool',
  'guard',
  'step_approval',
  'confirmation',
  'ask',
]

/** Call it inside a transaction. */
function expireApprovals(ports: Ports, asking: Plan, excess: Excess): void {
  if (!['budget', 'tokens', 'wall_clock'].includes(excess.limit)) return
  if (excess.level === 'session') ports.store.guardrails.setSessionExcess(asking.contextId, excess)
  for (const plan of plansWithin(ports, asking, excess)) {
    const waiting = ports.store.gates.listOpen(plan.planId).filter(gate => expires(plan, gate))
    if (plan.planId === asking.planId || waiting.length === 0) continue
    for (const gate of waiting)
      closeGate(ports, plan, gate, { kind: 'void', reason: excess.reason, at: ports.clock.now() })
    stand(ports, planOf(ports, plan.planId), excess)
  }
}

/** The plans that the limit holds for. */
export function plansWithin(
  ports: Ports,
  { contextId }: Plan,
  { level, planId }: Pick<Excess, 'level' | 'planId'>,
): Plan[] {
  const { plans } = ports.store
  if (level === 'session') return plans.listUnfinished(contextId)
  if (planId === null) return []
  return [planOf(ports, planId), ...plans.listDescendants(planId)]
}

/** Applying costs nothing, and before a plan has begun nothing is lost by waiting. */
function expires({ position }: Plan, { kind, automation }: Gate): boolean {
  const phase = phaseOf(position)
  if (phase !== 'strategize' && phase !== 'execute') return false
  return stateOf(position) === 'awaiting_input' && APPROVALS.includes(kind) && automation !== 'autoApply'
}

/** In the place of what expired: the same question about the limit, or the same end. */
function stand(ports: Ports, plan: Plan, excess: Excess): void {
  if (neverAsks(plan.profile)) {
    const ended = changePlan(ports, plan, { event: 'given_up', reason: excess.reason, exceeded: excess })
    if (!ended.ok) throw new Error(ended.failure.message)
    return
  }
  const guardrails = { ...plan.guardrails, exceeded: excess }
  savePlan(ports, { ...plan, guardrails, reason: excess.reason, updatedAt: ports.clock.now() })
  openGate(
    ports,
    plan,
    questionAbout(excess, limitKey(`${plan.planId}:${plan.attempt}:expired`, excess.limit)),
  )
}
