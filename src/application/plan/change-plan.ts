import { assertNever, type Result } from '../../domain/failure.ts'
import type { Excess } from '../../domain/guardrails/limits.ts'
import { type Effect, type LifecycleEvent, phaseOf, stateOf, step } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { cascade } from '../children/cascade.ts'
import type { PlanEventBody } from '../events.ts'
import { closeGates } from '../gate/close-gates.ts'
import { keepTime } from '../guardrails/keep-time.ts'
import type { Ports } from '../ports.ts'

export interface Change {
  readonly event: LifecycleEvent
  readonly reason?: string | null
  readonly patch?: Partial<Plan>
  /** The limit at which it stops; whatever moves it on forgets it. */
  readonly exceeded?: Excess
}

/**
 * Moves a plan by the lifecycle table and saves it with its event. Call it inside a transaction, with the plan as it
 * is in the store. Gates that the move makes meaningless are voided in the same transaction, and the plans above and
 * below it follow.
 */
export function changePlan(ports: Ports, plan: Plan, change: Change): Result<Plan> {
  const moved = step(plan, change.event)
  if (!moved.ok) return moved
  const now = ports.clock.now()
  const { guardrails } = { ...plan, ...change.patch }
  const next: Plan = {
    ...moved.value.plan,
    ...change.patch,
    guardrails: { ...guardrails, exceeded: change.exceeded ?? null },
    reason: change.reason ?? null,
    updatedAt: now,
    endedAt: moved.value.effects.some(effect => effect.kind === 'end') ? now : plan.endedAt,
  }
  for (const effect of moved.value.effects) performInStore(ports, next, effect)
  savePlan(ports, next, eventFor(plan, next))
  keepTime(ports, plan, next, now)
  cascade(ports, next, changePlan)
  return { ok: true, value: next }
}

/** Saves a plan whose position did not change, e.g. its guidance or change counts. */
export function savePlan(ports: Ports, plan: Plan, type: PlanMoved = 'PLAN_STATE_CHANGED'): void {
  ports.store.plans.update(plan)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type, plan })
}

type PlanMoved = Extract<PlanEventBody, { plan: Plan }>['type']

/** The run loop performs the other effects, from the position the plan is in. */
function performInStore(ports: Ports, plan: Plan, effect: Effect): void {
  switch (effect.kind) {
    case 'void_gates':
      closeGates(ports, plan, `the plan is ${stateOf(plan.position).replace('_', ' ')}`)
      return
    case 'decide_phase':
    case 'start_phase':
    case 'run_actor':
    case 'start_apply':
    case 'apply':
    case 'abort_step':
    case 'end':
      return
    default:
      assertNever(effect)
  }
}

function eventFor(before: Plan, after: Plan): PlanMoved {
  const state = stateOf(after.position)
  if (state === 'applied') return 'PLAN_APPLIED'
  if (state === 'cancelled') return 'PLAN_CANCELLED'
  if (state === 'errored') return 'PLAN_ERRORED'
  return phaseOf(before.position) === phaseOf(after.position) ? 'PLAN_STATE_CHANGED' : 'PLAN_PHASE_CHANGED'
}
