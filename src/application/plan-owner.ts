/**
 * Who runs a plan: only the process that holds its lease. A lease lasts while the plan runs; when it waits, whoever
 * answers it takes the lease and goes on. Another process that needs a running plan asks its owner to let go.
 */
import { type Result, refuse } from '../domain/failure.ts'
import { asId, type PlanId } from '../domain/ids.ts'
import { canMove, isSettled, stateOf, workOf } from '../domain/plan/lifecycle.ts'
import type { Plan } from '../domain/plan/plan.ts'
import { changePlan } from './plan/change-plan.ts'
import { openSession, type PlanSession } from './plan/session.ts'
import type { Ports } from './ports.ts'
import { runPlan } from './run-plan.ts'

export type YieldWhen = 'now' | 'after_step'

export interface PlanOwner {
  /** Runs the plan in the background until it waits or ends, unless another living process already does. */
  run(planId: PlanId): void
  /** Frees the plan wherever it runs, then acts on it as its only owner. */
  exclusively<Value>(
    planId: PlanId,
    when: YieldWhen,
    act: (session: PlanSession) => Promise<Result<Value>>,
  ): Promise<Result<Value>>
  /** The plan once it waits, pauses or ends, or once nobody runs it any more. */
  settled(planId: PlanId, signal: AbortSignal): Promise<Plan>
  runningCount(): number
  /** Resolves when nothing runs here any more. */
  idle(signal: AbortSignal): Promise<void>
  /** Orderly end: steps are aborted, running plans pause, leases are released. */
  stop(): Promise<void>
}

interface Run {
  readonly abort: AbortController
  readonly stop: { afterStep: boolean }
  again: boolean
  done: Promise<void>
}

const HEARTBEAT_MS = 5_000
const YIELD_TIMEOUT_MS = 30_000

export function createPlanOwner(ports: Ports): PlanOwner {
  const runs = new Map<PlanId, Run>()
  let stopping = false
  let stopListening: (() => void) | null = null
  let heartbeat: NodeJS.Timeout | null = null
  return {
    run,
    exclusively,
    settled,
    runningCount: () => runs.size,
    idle: signal => until(() => runs.size === 0, signal),
    stop,
  }

  function run(planId: PlanId): void {
    const running = runs.get(planId)
    if (running) running.again = true
    if (running || stopping || !takeLease(ports, planId)) return
    const started: Run = {
      abort: new AbortController(),
      stop: { afterStep: false },
      again: false,
      done: Promise.resolve(),
    }
    runs.set(planId, started)
    watch()
    started.done = runToItsEnd(planId, started)
  }

  async function runToItsEnd(planId: PlanId, running: Run): Promise<void> {
    const plan = ports.store.plans.find(planId)
    if (plan) {
      const session = openSession(ports, plan, running.abort.signal)
      await runPlan(session, running.stop).catch(error => recordBug(ports, planId, error))
      await session.close()
    }
    runs.delete(planId)
    releaseLease(ports, planId)
    unwatch()
    const freed = running.stop.afterStep || running.abort.signal.aborted
    if (running.again && !freed) run(planId)
  }

  async function exclusively<Value>(
    planId: PlanId,
    when: YieldWhen,
    act: (session: PlanSession) => Promise<Result<Value>>,
  ): Promise<Result<Value>> {
    await free(planId, when)
    const plan = ports.store.plans.find(planId)
    if (!plan || !takeLease(ports, planId)) {
      return refuse('invalid_state', 'Another process runs this plan and did not let go of it. Try again.', {
        planId,
      })
    }
    const session = openSession(ports, plan, AbortSignal.timeout(24 * 3_600_000))
    try {
      return await act(session)
    } finally {
      await session.close()
      releaseLease(ports, planId)
    }
  }

  async function free(planId: PlanId, when: YieldWhen): Promise<void> {
    const here = runs.get(planId)
    if (here) {
      letGo(here, when)
      return here.done
    }
    if (!holderElsewhere(ports, planId)) return
    ports.store.requests.insert({
      requestId: asId(ports.newId()),
      planId,
      kind: when === 'now' ? 'yield_now' : 'yield_after_step',
      createdAt: ports.clock.now(),
      takenAt: null,
    })
    await until(() => !holderElsewhere(ports, planId), AbortSignal.timeout(YIELD_TIMEOUT_MS)).catch(() => {})
  }

  async function settled(planId: PlanId, signal: AbortSignal): Promise<Plan> {
    const load = () => {
      const plan = ports.store.plans.find(planId)
      if (!plan) throw new Error(`plan ${planId} is not in the store`)
      return plan
    }
    await until(() => {
      if (runs.has(planId)) return false
      return isSettled(load().position) || !holderElsewhere(ports, planId)
    }, signal)
    return load()
  }

  /** Resolves when `isTrue` is; looks again after every change of the store. */
  function until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopLooking = ports.store.events.onChange(look)
      // The end of a run or of a foreign process is no event of the store.
      const timer = setInterval(look, 100)
      signal.addEventListener('abort', giveUp, { once: true })
      look()

      function look(): void {
        if (isTrue()) end(resolve)
      }
      function giveUp(): void {
        end(() => reject(signal.reason))
      }
      function end(then: () => void): void {
        stopLooking()
        clearInterval(timer)
        signal.removeEventListener('abort', giveUp)
        then()
      }
    })
  }

  async function stop(): Promise<void> {
    stopping = true
    const ending = [...runs].map(async ([planId, running]) => {
      letGo(running, 'now')
      await running.done
      pause(ports, planId, 'the program ended; resume the plan to go on')
    })
    await Promise.all(ending)
  }

  function watch(): void {
    stopListening ??= ports.store.events.onChange(attend)
    heartbeat ??= setInterval(beat, HEARTBEAT_MS).unref()
  }

  function unwatch(): void {
    if (runs.size > 0) return
    stopListening?.()
    stopListening = null
    if (heartbeat) clearInterval(heartbeat)
    heartbeat = null
  }

  /** Other processes speak through the store: they ask us to let go, or have moved the plan themselves. */
  function attend(): void {
    for (const request of ports.store.requests.listFor(ports.host.process)) {
      ports.store.requests.take(request.requestId, ports.clock.now())
      const running = runs.get(request.planId)
      if (running) letGo(running, request.kind === 'yield_now' ? 'now' : 'after_step')
    }
    for (const [planId, running] of runs) {
      const plan = ports.store.plans.find(planId)
      if (plan && stateOf(plan.position) === 'cancelled') running.abort.abort()
    }
  }

  function beat(): void {
    attend()
    for (const planId of runs.keys()) {
      const lease = ports.store.leases.get(planId)
      if (lease) ports.store.leases.put({ ...lease, heartbeatAt: ports.clock.now() })
    }
  }
}

function letGo(running: Run, when: YieldWhen): void {
  running.stop.afterStep = true
  if (when === 'now') running.abort.abort()
}

function holderElsewhere(ports: Ports, planId: PlanId): boolean {
  const lease = ports.store.leases.get(planId)
  if (!lease || isUs(ports, lease.holder)) return false
  return ports.host.isAlive(lease.holder)
}

function isUs(ports: Ports, holder: { pid: number; startedAt: string }): boolean {
  return holder.pid === ports.host.process.pid && holder.startedAt === ports.host.process.startedAt
}

function takeLease(ports: Ports, planId: PlanId): boolean {
  return ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    if (!plan || holderElsewhere(ports, planId)) return false
    const now = ports.clock.now()
    ports.store.leases.put({ planId, holder: ports.host.process, takenAt: now, heartbeatAt: now })
    ports.store.events.append(planId, plan.rootPlanId, { type: 'LEASE_CHANGED', holder: ports.host.process })
    return true
  })
}

function releaseLease(ports: Ports, planId: PlanId): void {
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    ports.store.leases.remove(planId, ports.host.process)
    if (plan) ports.store.events.append(planId, plan.rootPlanId, { type: 'LEASE_CHANGED', holder: null })
  })
}

export function pause(ports: Ports, planId: PlanId, reason: string): void {
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    if (plan && workOf(plan.position) && canMove(plan, 'paused'))
      changePlan(ports, plan, { event: 'paused', reason })
  })
}

/** A bug must not leave a plan that looks as if it ran. */
function recordBug(ports: Ports, planId: PlanId, error: unknown): void {
  ports.log('a plan stopped on an internal error', {
    planId,
    error: error instanceof Error ? error.stack : String(error),
  })
  ports.store.transaction(() => {
    const plan = ports.store.plans.find(planId)
    const event = plan && canMove(plan, 'failed') ? 'failed' : 'restore_failed'
    const reason = `internal error: ${error instanceof Error ? error.message : String(error)}`
    if (plan && canMove(plan, event)) changePlan(ports, plan, { event, reason })
  })
}
