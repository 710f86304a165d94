/** The right of one process to run one plan. Begin with `takeLease`. */
import type { PlanId } from '../../domain/ids.ts'
import type { OwnerRequest, ProcessIdentity } from '../../domain/plan/journal.ts'
import type { Ports } from '../ports.ts'

/** False when another living process has it. A lease whose process is gone is taken over. */
export function takeLease(ports: Ports, planId: PlanId): boolean {
  return ports.store.transaction(() => {
    if (!ports.store.plans.find(planId) || isHeldElsewhere(ports, planId)) return false
    putLease(ports, planId, ports.host.process)
    return true
  })
}

export function isHeldElsewhere(ports: Ports, planId: PlanId): boolean {
  const holder = livingHolder(ports, planId)
  return holder !== null && !isUs(ports, holder)
}

/** The process that works on a plan, this one or another; null when nobody does or it has died. */
export function livingHolder(ports: Ports, planId: PlanId): ProcessIdentity | null {
  const lease = ports.store.leases.get(planId)
  return lease && ports.host.isAlive(lease.holder) ? lease.holder : null
}

export function isUs({ host }: Ports, { pid, startedAt }: ProcessIdentity): boolean {
  return pid === host.process.pid && startedAt === host.process.startedAt
}

/** Says that the holder still runs. */
export function renewLease(ports: Ports, planId: PlanId): void {
  ports.store.transaction(() => {
    const lease = ports.store.leases.get(planId)
    if (lease && isUs(ports, lease.holder))
      ports.store.leases.put({ ...lease, heartbeatAt: ports.clock.now() })
  })
}

/** Straight to whoever asked for it, so that nobody finds the plan without a holder in between. */
export function handOver(ports: Ports, { planId, requestId, by }: OwnerRequest): void {
  ports.store.requests.take(requestId, ports.clock.now())
  putLease(ports, planId, by)
}

export function dropLease(ports: Ports, planId: PlanId, holder: ProcessIdentity): void {
  const plan = ports.store.plans.find(planId)
  ports.store.leases.remove(planId, holder)
  if (plan) ports.store.events.append(planId, plan.rootPlanId, { type: 'LEASE_CHANGED', holder: null })
}

function putLease(ports: Ports, planId: PlanId, holder: ProcessIdentity): void {
  const plan = ports.store.plans.find(planId)
  const now = ports.clock.now()
  ports.store.leases.put({ planId, holder, takenAt: now, heartbeatAt: now })
  if (plan) ports.store.events.append(planId, plan.rootPlanId, { type: 'LEASE_CHANGED', holder })
}
