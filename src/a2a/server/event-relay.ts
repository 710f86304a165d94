import type { PlanEvent } from '../../application/events.ts'
import { MAX_WAITING_FRAMES, type StreamEndReason } from '../protocol/envelope.ts'
import type { WireEvent } from '../protocol/events.ts'
import type { Call } from './call.ts'
import { followLog } from './follow-log.ts'
import { toWireEvent } from './to-wire-event.ts'

export interface Subscription {
  readonly id: string
  readonly afterSeq: number
  /** This plan and the plans below it; null = all. */
  readonly planId: string | null
}

/**
 * The event log as notifications: in order, none lost, none twice, resumable from any number. A reader that stands
 * still while the log grows by more than `MAX_WAITING_FRAMES` is sent away with `overflow` and comes back when it can.
 */
export async function* relayEvents(
  subscription: Subscription,
  call: Pick<Call, 'backend' | 'here' | 'signal'>,
): AsyncGenerator<WireEvent, StreamEndReason> {
  const { events } = call.backend
  let expected = subscription.afterSeq + 1
  for await (const page of followLog(events, subscription.afterSeq, call.signal)) {
    const first = page[0]
    if (first && first.seq > expected) yield gap(subscription, expected, first)
    for (const event of coalesced(page.filter(each => concerns(each, subscription.planId)))) {
      const before = events.lastSeq()
      yield toWireEvent(event, subscription.id, call)
      if (events.lastSeq() - before > MAX_WAITING_FRAMES) return 'overflow'
    }
    expected = (page.at(-1)?.seq ?? expected) + 1
  }
  return 'cancelled'
}

function concerns(event: PlanEvent, planId: string | null): boolean {
  return planId === null || event.planId === planId || event.rootPlanId === planId
}

/** Output of one step that stands together in the log is sent as one, under the last one's number. */
function coalesced(page: readonly PlanEvent[]): PlanEvent[] {
  const joined: PlanEvent[] = []
  for (const event of page) {
    const last = joined.at(-1)
    const together = last && joinedOutput(last, event)
    if (together) joined[joined.length - 1] = together
    else joined.push(event)
  }
  return joined
}

function joinedOutput(a: PlanEvent, b: PlanEvent): PlanEvent | null {
  if (a.body.type !== 'STEP_OUTPUT' || b.body.type !== 'STEP_OUTPUT') return null
  if (a.body.stepId !== b.body.stepId || a.body.text.length > MAX_OUTPUT_TEXT) return null
  return { ...b, body: { ...b.body, text: a.body.text + b.body.text } }
}

const MAX_OUTPUT_TEXT = 64 * 1024

function gap(subscription: Subscription, from: number, first: PlanEvent): WireEvent {
  return {
    method: '_cleveragents/gap',
    subscription: subscription.id,
    seq: first.seq - 1,
    event_id: first.eventId,
    plan_id: first.planId,
    root_plan_id: first.rootPlanId,
    at: first.at,
    from,
    to: first.seq - 1,
  }
}
