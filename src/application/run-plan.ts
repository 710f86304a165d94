import { assertNever } from '../domain/failure.ts'
import { type Effect, type Position, workOf } from '../domain/plan/lifecycle.ts'
import type { Plan } from '../domain/plan/plan.ts'
import { applyPlan } from './apply/apply-plan.ts'
import { recordWork } from './decision/take-checkpoint.ts'
import { changePlan } from './plan/change-plan.ts'
import { decidePhase } from './plan/decide-phase.ts'
import type { Next } from './plan/next.ts'
import { runTurn } from './plan/run-turn.ts'
import type { PlanSession } from './plan/session.ts'
import { startPhase } from './plan/start-phase.ts'
import { checksDue } from './validation/due-checks.ts'

/** When a running plan is to stop: at once (the signal aborts its step) or when its present step has ended. */
export interface Stop {
  readonly afterStep: boolean
}

/**
 * The run loop: the plan's position says what work is due; doing it yields the next event; the event, the new position
 * and everything recorded with it are saved in one transaction. Ends when the plan waits, pauses or ends, or when a
 * stop is asked for. Whoever calls it holds the plan's lease.
 */
export async function runPlan(session: PlanSession, stop: Stop): Promise<void> {
  const { ports, planId, signal } = session
  while (!signal.aborted && !stop.afterStep) {
    const plan = ports.store.plans.find(planId)
    const work = plan ? workOf(plan.position) : null
    if (!plan || !work) return recordAtRest(session)
    save(session, plan.position, await perform(session, plan, work))
  }
}

/**
 * What a plan wrote before it came to rest is brought to record: whoever looks at it meanwhile, or at what a correction
 * would do, sees all of it.
 */
async function recordAtRest(session: PlanSession): Promise<void> {
  const { ports, planId } = session
  const cursor = ports.store.cursors.get(planId)
  if (session.signal.aborted || !cursor || cursor.written.length === 0) return
  const recorded = await recordWork(session, cursor, 'at rest')
  // The next step records it anyway, or says why it cannot.
  if (!recorded.ok)
    ports.log('work could not be recorded at rest', { planId, failure: recorded.failure.message })
}

function perform(session: PlanSession, plan: Plan, work: Effect): Promise<Next> | Next {
  switch (work.kind) {
    case 'decide_phase':
      return decidePhase(session, plan, work.gate)
    case 'start_phase':
      return startPhase(session, plan)
    case 'run_actor':
      return runTurn(session, plan)
    case 'start_apply':
      return checksDue(session.ports, plan) ?? { event: 'started' }
    case 'apply':
      return applyPlan(session, plan)
    case 'abort_step':
    case 'void_gates':
    case 'end':
      throw new Error(`${work.kind} is not work of a position`)
    default:
      return assertNever(work)
  }
}

/** Nothing is saved when somebody moved the plan meanwhile, e.g. cancelled it: their move counts. */
function save({ ports, planId }: PlanSession, from: Position, next: Next): void {
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    if (!plan || plan.position !== from) return
    const moved = next.event ? advance(plan, { ...next, event: next.event }) : plan
    next.commit?.(moved)
    if (next.followedBy) advance(ports.store.plans.find(planId) ?? moved, next.followedBy)
  })

  function advance(plan: Plan, change: Parameters<typeof changePlan>[2]): Plan {
    const changed = changePlan(ports, plan, change)
    if (!changed.ok) throw new Error(changed.failure.message)
    return changed.value
  }
}
