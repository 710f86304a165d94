/** Typed calls made from the method table. It knows the protocol and a transport, nothing of the backend. */
import { type WireEvent, wireEvent } from '../protocol/events.ts'
import { type MethodName, methods, type Output, type Params } from '../protocol/methods.ts'
import { type Channel, openChannel, type StreamItem } from './channel.ts'
import { type CallResult, connectionLost, type RpcFailure } from './rpc-failure.ts'
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

export interface ClientOptions {
  /** Hold every result and event against its schema: in tests, and for a backend of another build. */
  readonly check: 'everything' | 'nothing'
}

export function createClient(transport: Transport, options: ClientOptions): Client {
  const channel = openChannel(transport)
  const read = options.check === 'everything' ? checking : trusting
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

function startOf(result: unknown): number {
  return methods['_cleveragents/event/subscribe'].result.parse(result).seq
}

interface Reader {
  result<Name extends MethodName>(method: Name, value: unknown): CallResult<Output<Name>>
  event(value: unknown): WireEvent
}

const checking: Reader = {
  result(method, value) {
    const checked = methods[method].result.safeParse(value)
    // The schema is the one the type is made from; TypeScript does not carry that through a lookup by name.
    if (checked.success) return { ok: true, value: checked.data as Output<typeof method> }
    const failure = connectionLost(`The answer to ${method} has another shape: ${checked.error.message}`)
    return { ok: false, failure: { ...failure, errorType: 'unexpected_answer' } }
  },
  event: value => wireEvent.parse(value),
}

/** The backend was started from this very build, whose tests hold every answer against its schema. */
const trusting: Reader = {
  result: (method, value) => ({ ok: true, value: value as Output<typeof method> }),
  event: value => value as WireEvent,
}
