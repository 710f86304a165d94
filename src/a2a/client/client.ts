/** Typed calls made from the method table. It knows the protocol and a transport, nothing of the backend. */
import type { WireEvent } from '../protocol/events.ts'
import type { MethodName, Output, Params } from '../protocol/methods.ts'
import { type AnswerReader, trustingReader } from './answer-reader.ts'
import { type Channel, openChannel, type StreamItem } from './channel.ts'
import type { CallResult, RpcFailure } from './rpc-failure.ts'
import type { Transport } from './transport.ts'

export interface Client {
  call<Name extends MethodName>(
    method: Name,
    params: Params<Name>,
    options?: CallOptions,
  ): Promise<CallResult<Output<Name>>>
  /**
   * Every event after `afterSeq` (null = from now on), in order, none twice, until the signal aborts or the connection
   * is lost. Sent away for being slow, it comes back by itself at the number it had reached.
   */
  subscribe(options: SubscribeOptions): Promise<SubscriptionEnd>
  /** Any method by its name, nothing checked: for people who debug, and for A2A's standard methods. */
  readonly raw: Pick<Channel, 'unary' | 'stream'>
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<string>
  close(): Promise<void>
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface SubscribeOptions extends CallOptions {
  readonly afterSeq: number | null
  readonly planId?: string
  readonly onEvent: (event: WireEvent) => void
  /** The backend has accepted; events start after this number. */
  readonly onOpen?: (seq: number) => void
}

export type SubscriptionEnd =
  | { readonly kind: 'cancelled' }
  /** The backend ended it in order, because it stops. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly failure: RpcFailure }

export function createClient(transport: Transport, read: AnswerReader = trustingReader): Client {
  const channel = openChannel(transport)
  return {
    async call(method, params, { signal } = {}) {
      const result = await channel.unary(method, params, signal)
      return result.ok ? read.result(method, result.value) : result
    },
    subscribe: subscription => follow(channel, subscription, read.event),
    raw: channel,
    closed: channel.closed,
    close: () => transport.close(),
  }
}

async function follow(
  channel: Channel,
  { afterSeq, planId, onEvent, onOpen, signal }: SubscribeOptions,
  readEvent: (item: unknown) => WireEvent,
): Promise<SubscriptionEnd> {
  let seq = afterSeq
  const take = (item: StreamItem) => {
    if (item.kind === 'result') {
      seq = startOf(item.result)
      onOpen?.(seq)
    } else {
      const event = readEvent({ ...item.params, method: item.method })
      seq = event.seq
      onEvent(event)
    }
  }
  for (;;) {
    const params = { ...(seq === null ? {} : { after_seq: seq }), ...(planId ? { plan_id: planId } : {}) }
    const end = await channel.stream('_cleveragents/event/subscribe', params, take, signal)
    if (!end.ok) return { kind: 'failed', failure: end.failure }
    if (end.value !== 'overflow') return { kind: end.value }
  }
}

function startOf(opened: unknown): number {
  if (typeof opened === 'object' && opened !== null && 'seq' in opened && typeof opened.seq === 'number')
    return opened.seq
  throw new Error(`A subscription was opened without its number: ${JSON.stringify(opened)}`)
}
