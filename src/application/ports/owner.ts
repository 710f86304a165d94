import type { PlanId, RequestId } from '../../domain/ids.ts'
import type { Lease, OwnerRequest, ProcessIdentity } from '../../domain/plan/journal.ts'

export interface LeaseRepository {
  get(planId: PlanId): Lease | null
  list(): Lease[]
  put(lease: Lease): void
  remove(planId: PlanId, holder: ProcessIdentity): void
}

export interface RequestRepository {
  insert(request: OwnerRequest): void
  /** Untaken requests for plans that `holder` has a lease on, oldest first. */
  listFor(holder: ProcessIdentity): OwnerRequest[]
  take(requestId: RequestId, at: string): void
}
