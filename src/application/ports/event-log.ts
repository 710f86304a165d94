import type { PlanId } from '../../domain/ids.ts'
import type { PlanEvent, PlanEventBody } from '../events.ts'

/** The log is handed to infrastructure with what it keeps; nothing else of this layer is seen from there. */
export type { PlanEvent, PlanEventBody } from '../events.ts'

export interface EventLog {
  /** Inside the transaction that makes it true. Listeners hear it after the commit. */
  append(planId: PlanId, rootPlanId: PlanId, body: PlanEventBody): PlanEvent
  lastSeq(): number
  read(afterSeq: number, limit: number, planId?: PlanId): PlanEvent[]
  /** Called after every commit that added events, by this process or, within the poll time, by another. */
  onChange(listener: () => void): () => void
}
