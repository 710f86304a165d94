import { CANCEL_REQUEST, STREAM_END, type StreamEndReason } from '../protocol/envelope.ts'
import { type Incoming, readFrame } from './read-frame.ts'
import { type CallResult, connectionLost, interrupted, type RpcFailure, readFailure } from './rpc-failure.ts'
import type { Transport } from './transport.ts'

/** Requests and streams over one transport: numbers them, and brings every frame to the one who waits for it. */
export interface Channel {
  unary(method: string, params: unknown, signal?: AbortSignal): Promise<CallResult<unknown>>
  /** Resolves when the stream has ended; `onItem` gets the results and notifications in the order they came. */
  stream(
    method: string,
    params: unknown,
    onItem: (item: StreamItem) => void,
    signal?: AbortSignal,
  ): Promise<CallResult<StreamEndReason>>
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<string>
}

export type StreamItem =
  | { readonly kind: 'result'; readonly result: unknown }
  | {
      readonly kind: 'notification'
      readonly method: string
      readonly params: Readonly<Record<string, unknown>>
    }

export function openChannel(transport: Transport): Channel {
  const waiting = new Map<number, Waiting>()
  const subscriptions = new Map<string, Waiting>()
  const closed = Promise.withResolvers<string>()
  let lost: RpcFailure | null = null
  let lastId = 0

  function lose(reason: string): void {
    lost ??= connectionLost(reason)
    for (const each of [...waiting.values()]) each.onFailure(lost)
    closed.resolve(reason)
  }

  transport.listen({
    onClose: lose,
    onFrame(frame) {
      const read = readFrame(frame)
      if (read) return route(read, waiting, subscriptions)
      lose(`The backend sent a frame of another shape: ${JSON.stringify(frame).slice(0, 200)}`)
      void transport.close()
    },
  })

  /** Sends, and hands the answers to `waiter` until it calls `done` or the signal aborts. */
  function start(
    method: string,
    params: unknown,
    signal: AbortSignal | undefined,
    waiter: (done: () => void) => Waiting,
  ): void {
    const id = ++lastId
    const abort = () => {
      transport.send({ jsonrpc: '2.0', method: CANCEL_REQUEST, params: { id } })
      entry.onFailure(interrupted(method))
    }
    const entry = waiter(() => {
      waiting.delete(id)
      for (const [key, each] of subscriptions) if (each === entry) subscriptions.delete(key)
      signal?.removeEventListener('abort', abort)
    })
    const refused = lost ?? (signal?.aborted ? interrupted(method) : null)
    if (refused) {
      entry.onFailure(refused)
      return
    }
    signal?.addEventListener('abort', abort)
    waiting.set(id, entry)
    transport.send({ jsonrpc: '2.0', id, method, params })
  }

  return {
    closed: closed.promise,
    unary: (method, params, signal) =>
      new Promise(resolve => {
        start(method, params, signal, done => {
          const finish = (result: CallResult<unknown>) => {
            done()
            resolve(result)
          }
          return {
            onItem: item => item.kind === 'result' && finish({ ok: true, value: item.result }),
            onEnd: reason => finish({ ok: false, failure: connectionLost(`${method} ended: ${reason}`) }),
            onFailure: failure => finish({ ok: false, failure }),
          }
        })
      }),
    stream: (method, params, onItem, signal) =>
      new Promise(resolve => {
        start(method, params, signal, done => ({
          onItem,
          onEnd(reason) {
            done()
            resolve({ ok: true, value: reason })
          },
          onFailure(failure) {
            done()
            resolve(signal?.aborted ? { ok: true, value: 'cancelled' } : { ok: false, failure })
          },
        }))
      }),
  }
}

interface Waiting {
  onItem(item: StreamItem): void
  onEnd(reason: StreamEndReason): void
  onFailure(failure: RpcFailure): void
}

function route(
  { id, method, params, result, error }: Incoming,
  waiting: ReadonlyMap<number, Waiting>,
  subscriptions: Map<string, Waiting>,
): void {
  if (method === STREAM_END) {
    const { id: ended, reason } = params ?? {}
    if (typeof ended === 'number' && isEndReason(reason)) waiting.get(ended)?.onEnd(reason)
    return
  }
  if (method !== undefined) {
    const subscription = params?.['subscription']
    if (typeof subscription === 'string')
      subscriptions.get(subscription)?.onItem({ kind: 'notification', method, params: params ?? {} })
    return
  }
  const waiter = typeof id === 'number' ? waiting.get(id) : undefined
  if (error) waiter?.onFailure(readFailure(error))
  if (!waiter || error) return
  const opened = subscriptionOf(result)
  if (opened !== null) subscriptions.set(opened, waiter)
  waiter.onItem({ kind: 'result', result })
}

function isEndReason(reason: unknown): reason is StreamEndReason {
  return reason === 'complete' || reason === 'cancelled' || reason === 'overflow'
}

function subscriptionOf(result: unknown): string | null {
  const found =
    typeof result === 'object' && result !== null && 'subscription' in result && result.subscription
  return typeof found === 'string' ? found : null
}
