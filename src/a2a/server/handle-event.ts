import { ok, type Result } from '../../domain/failure.ts'
import type { StreamEndReason } from '../protocol/envelope.ts'
import type { WireEvent } from '../protocol/events.ts'
import type { CheckedParams, Output } from '../protocol/methods.ts'
import type { Call, Handler, StreamingMethod } from './call.ts'
import { relayEvents } from './event-relay.ts'
import { toWireEvent } from './to-wire-event.ts'

export interface Streaming<Name extends StreamingMethod> {
  readonly result: Output<Name>
  readonly events: AsyncGenerator<WireEvent, StreamEndReason>
}

export async function subscribe(
  { after_seq, plan_id }: CheckedParams<'_cleveragents/event/subscribe'>,
  call: Call,
): Promise<Result<Streaming<'_cleveragents/event/subscribe'>>> {
  const plan = plan_id === undefined ? null : await call.backend.plan(plan_id)
  if (plan && !plan.ok) return plan
  const subscription = {
    id: call.backend.newTaskId(),
    // A client may know a higher number only from a store that is gone; what this one has is new to it.
    afterSeq: Math.min(after_seq ?? Number.POSITIVE_INFINITY, call.backend.events.lastSeq()),
    planId: plan?.value.plan.planId ?? null,
  }
  return ok({
    result: { subscription: subscription.id, seq: subscription.afterSeq },
    events: relayEvents(subscription, call),
  })
}

export const list: Handler<'_cleveragents/event/list'> = async ({ plan_id, after_seq, limit }, call) => {
  const found = await call.backend.plan(plan_id)
  if (!found.ok) return found
  const events = call.backend.events.read(after_seq, limit, found.value.plan.planId)
  return ok({ events: events.map(event => toWireEvent(event, '', call)) })
}
