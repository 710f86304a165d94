/**
 * Who runs a plan: only the process that holds its lease. A lease lasts while the plan runs; when it waits, whoever
 * answers it takes the lease and goes on. Another process that needs a running plan asks its owner for the lease.
 */
import { type Result, refuse } from '../domain/failure.ts'
import { asId, type PlanId } from '../domain/ids.ts'
import type { OwnerRequest } from '../domain/plan/journal.ts'
import { isFinal, isSettled, stateOf, workOf } from '../domain/plan/lifecycle.ts'
import type { Plan } from '../domain/plan/plan.ts'
import { cleanUpFamily } from './children/family.ts'
import { awaitsItsTurn } from './children/waiting.ts'
import { dropLease, handOver, isHeldElsewhere, isUs, renewLease, takeLease } from './plan/lease.ts'
import { recordTrouble } from './plan/record-trouble.ts'
import { openSession, type PlanSession } from './plan/session.ts'
import { interruptSteps, pausePlanNow, takeOver } from './plan/take-over.ts'
import type { Ports } from './ports.ts'
import { planOf } from './references.ts'
import { undoCutRestore } from './rollback/cut-restore.ts'
import { runPlan } from './run-plan.ts'

export type YieldWhen = 'now' | 'after_step'

export interface PlanOwner {
  /** Runs the plan in the background until it waits or ends, unless another living process already does. */
  run(planId: PlanId): void
  /** Frees the plan wherever it runs, then acts on it as its only owner. What it leaves due runs on. */
  exclusively<Value>(
    planId: PlanId,
    when: YieldWhen,
    act: (session: PlanSession) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /** The plan once it waits, pauses or ends. A plan whose process died meanwhile is taken over. */
  settled(planId: PlanId, signal: AbortSignal): Promise<Plan>
  runningCount(): number
  /** Resolves when nothing runs here any more. */
  idle(signal: AbortSignal): Promise<void>
  /** Orderly end: steps are aborted, running plans pause, leases are released. */
  stop(): Promise<void>
}

/** A plan that this process holds the lease of. */
interface Holding {
  readonly kind: 'run' | 'act'
  readonly abort: AbortController
  readonly pause: AbortController
  readonly stop: { afterStep: boolean }
  /** Somebody in this process waits to hold it next. */
  wanted: boolean
  readonly ended: PromiseWithResolvers<void>
}

const HEARTBEAT_MS = 5_000
/** Requests are rows without an event, so nobody tells of them. */
const LISTEN_MS = 100
const YIELD_TIMEOUT_MS = 30_000
const STOP_MS = 900
const TRY_AGAIN_MS = 1_000
const PROGRAM_ENDED = 'the program ended; resume the plan to go on'

export function createPlanOwner(ports: Ports): PlanOwner {
  const { store, host } = ports
  const held = new Map<PlanId, Holding>()
  let stopping = false
  let stopListening: (() => void) | null = null
  return {
    run,
    exclusively,
    settled,
    runningCount: () => held.size,
    idle: signal => until(() => held.size === 0, signal),
    stop,
  }

  function run(planId: PlanId): void {
    // Whatever holds it here looks for what is due before it lets go.
    if (held.has(planId)) return
    try {
      const plan = store.plans.find(planId)
      if (plan && awaitsItsTurn(plan)) return
      if (stopping) pauseUnlessHeld(planId)
      else if (takeLease(ports, planId)) start(planId)
    } catch (error) {
      runLater(planId, error)
    }
  }

  function start(planId: PlanId): void {
    const running = holdingOf('run')
    hold(planId, running, async session => {
      await runPlan(session, running.stop).catch(error => recordTrouble(session, error))
    }).catch(error => runLater(planId, error))
  }

  /** The lease could not be taken or passed on: the store is busy or full. What is due must not be forgotten. */
  function runLater(planId: PlanId, error: unknown): void {
    ports.log('a plan could not be taken or let go of yet', { planId, error: String(error) })
    setTimeout(() => run(planId), TRY_AGAIN_MS).unref()
  }

  function pauseUnlessHeld(planId: PlanId): void {
    if (!isHeldElsewhere(ports, planId)) pausePlanNow(ports, planId, PROGRAM_ENDED)
  }

  async function exclusively<Value>(
    planId: PlanId,
    when: YieldWhen,
    act: (session: PlanSession) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    for (let here = held.get(planId); here; here = held.get(planId)) {
      here.wanted = true
      if (here.kind === 'run') letGo(here, when)
      await here.ended.promise
    }
    if (stopping) return refuse('interrupted', 'The program is ending.', { planId })
    if (takeLease(ports, planId)) return hold(planId, holdingOf('act'), act)
    if (await askOwner(planId, when)) return exclusively(planId, when, act)
    return refuse('invalid_state', 'Another process runs this plan and did not let go of it. Try again.', {
      planId,
    })
  }

  /** True once the lease can be taken: the owner handed it over, let go of it, or died. */
  async function askOwner(planId: PlanId, when: YieldWhen): Promise<boolean> {
    const request: OwnerRequest = {
      requestId: asId(ports.newId()),
      planId,
      kind: when === 'now' ? 'yield_now' : 'yield_after_step',
      by: host.process,
      createdAt: ports.clock.now(),
      takenAt: null,
    }
    store.requests.insert(request)
    // A step may take long, and whoever asked can give up on it; letting go at once may not.
    const patience = when === 'now' ? AbortSignal.timeout(YIELD_TIMEOUT_MS) : new AbortController().signal
    await until(() => stopping || !isHeldElsewhere(ports, planId), patience).catch(() => {})
    store.requests.take(request.requestId, ports.clock.now())
    return !isHeldElsewhere(ports, planId)
  }

  async function hold<Value>(
    planId: PlanId,
    holding: Holding,
    act: (session: PlanSession) => Promise<Value>,
  ): Promise<Value> {
    held.set(planId, holding)
    listen()
    try {
      const session = openSession(ports, planOf(ports, planId), {
        signal: holding.abort.signal,
        pausing: holding.pause.signal,
        start: run,
      })
      try {
        await undoCutRestore(session)
        return await act(session)
      } finally {
        await session.close()
        const plan = planOf(ports, planId)
        if (isFinal(plan.position)) await cleanUpFamily(ports, plan, 'held here')
      }
    } finally {
      end(planId, holding)
    }
  }

  /** In one go, so that a plan with work due is never seen without somebody who does it. */
  function end(planId: PlanId, holding: Holding): void {
    if (held.get(planId) !== holding) return
    let due = false
    try {
      due = store.transaction(() => passOn(planId, holding)) === 'due'
    } finally {
      held.delete(planId)
      holding.ended.resolve()
      if (held.size === 0 && !due) stopListening?.()
    }
    if (due) run(planId)
  }

  /** Who has the plan next. Call it inside a transaction. */
  function passOn(planId: PlanId, holding: Holding): 'due' | 'passed' {
    const plan = planOf(ports, planId)
    interruptSteps(ports, plan)
    const request = requestsHere().find(each => each.planId === planId)
    if (stopping) pausePlanNow(ports, planId, PROGRAM_ENDED)
    else if (holding.wanted) return 'passed'
    // Here rather than by whoever asked, so that a pause holds even when they gave up waiting for it.
    else if (request?.kind === 'yield_after_step') pausePlanNow(ports, planId, 'paused')
    if (request && host.isAlive(request.by)) {
      handOver(ports, request)
      return 'passed'
    }
    if (request) store.requests.take(request.requestId, ports.clock.now())
    if (!stopping && workOf(planOf(ports, planId).position)) return 'due'
    dropLease(ports, planId, host.process)
    return 'passed'
  }

  function requestsHere(): OwnerRequest[] {
    return store.requests.listFor(host.process).filter(request => !isUs(ports, request.by))
  }

  /** A plan with children has not settled while one of them goes on. */
  async function settled(planId: PlanId, signal: AbortSignal): Promise<Plan> {
    await until(
      () => [planOf(ports, planId), ...store.plans.listDescendants(planId)].every(hasSettled),
      signal,
    )
    return planOf(ports, planId)
  }

  function hasSettled(plan: Plan): boolean {
    const { planId } = plan
    if (held.has(planId)) return false
    if (isSettled(plan.position) || awaitsItsTurn(plan)) return true
    if (!isHeldElsewhere(ports, planId) && takeOver(ports, planId, 'look')) run(planId)
    return isSettled(planOf(ports, planId).position)
  }

  /** Resolves when `isTrue` is; looks again after every change of the store. */
  function until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopLooking = store.events.onChange(look)
      // The end of a run or of a foreign process is no event of the store.
      const timer = setInterval(look, LISTEN_MS)
      signal.addEventListener('abort', giveUp, { once: true })
      if (signal.aborted) giveUp()
      else look()

      function look(): void {
        try {
          if (isTrue()) finish(resolve)
        } catch (error) {
          finish(() => reject(error))
        }
      }
      function giveUp(): void {
        finish(() => reject(signal.reason))
      }
      function finish(then: () => void): void {
        stopLooking()
        clearInterval(timer)
        signal.removeEventListener('abort', giveUp)
        then()
      }
    })
  }

  async function stop(): Promise<void> {
    stopping = true
    for (const holding of held.values()) if (holding.kind === 'run') letGo(holding, 'now')
    const deadline = AbortSignal.timeout(STOP_MS)
    await until(() => held.size === 0, deadline).catch(() => {})
    // What does not end in time dies with this process; the record must not say that it runs.
    for (const [planId, holding] of held) carefully('stop', () => end(planId, holding))
  }

  function listen(): void {
    if (stopListening) return
    const unsubscribe = store.events.onChange(() => carefully('attend', attend))
    const listening = setInterval(() => carefully('attend', attend), LISTEN_MS).unref()
    const beating = setInterval(() => carefully('heartbeat', beat), HEARTBEAT_MS).unref()
    stopListening = () => {
      unsubscribe()
      clearInterval(listening)
      clearInterval(beating)
      stopListening = null
    }
  }

  /** A store that is busy or full for a moment must not end the process; the next turn tries again. */
  function carefully(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      ports.log('could not look after running plans', { what, error: String(error) })
    }
  }

  /** Other processes speak through the store: they ask us to let go, or have moved the plan themselves. */
  function attend(): void {
    for (const request of requestsHere()) {
      const running = held.get(request.planId)
      if (running?.kind === 'run') letGo(running, request.kind === 'yield_now' ? 'now' : 'after_step')
    }
    for (const [planId, holding] of held) {
      const plan = store.plans.find(planId)
      if (plan && stateOf(plan.position) === 'cancelled' && holding.kind === 'run') letGo(holding, 'now')
    }
  }

  function beat(): void {
    for (const planId of held.keys()) renewLease(ports, planId)
  }
}

function holdingOf(kind: Holding['kind']): Holding {
  return {
    kind,
    abort: new AbortController(),
    pause: new AbortController(),
    stop: { afterStep: false },
    wanted: false,
    ended: Promise.withResolvers<void>(),
  }
}

function letGo(holding: Holding, when: YieldWhen): void {
  holding.stop.afterStep = true
  holding.pause.abort()
  if (when === 'now') holding.abort.abort()
}
