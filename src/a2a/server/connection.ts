import {
  CANCEL_REQUEST,
  type Frame,
  type JsonRpcId,
  STREAM_END,
  type StreamEndReason,
} from '../protocol/envelope.ts'
import type { ErrorType } from '../protocol/error-codes.ts'
import type { Session } from './call.ts'
import type { Answer, Dispatcher, Frames } from './dispatcher.ts'
import { isRecord } from './service-parameters.ts'
import { wireError } from './to-error.ts'

/** Where the frames of one peer go. */
export interface Outlet {
  send(frame: Frame): void
  /** Null while there is room; else resolves when there is again, or the peer is gone. */
  room(): Promise<void> | null
}

/** One peer that sends and receives at the same time: requests may overlap, streams interleave. */
export interface Connection {
  receive(frame: unknown): void
  /** Answers what never became a frame: text that is no JSON, or a line that is too long. */
  refuse(type: ErrorType, message: string): void
  /** No more requests will come: streams end, the rest may take `graceMs` to be answered. */
  finish(graceMs: number): Promise<void>
}

export function openConnection(
  dispatcher: Dispatcher,
  outlet: Outlet,
  binding: Session['binding'],
): Connection {
  const session = openSession(binding)
  const held = new Map<JsonRpcId, Held>()
  const nameless = new Set<Promise<void>>()
  const streaming = new Set<AbortController>()
  let finishing = false

  function receive(frame: unknown): void {
    const id = idOf(frame)
    if (isRecord(frame) && frame['method'] === CANCEL_REQUEST) cancel(frame['params'])
    else if (id === null) track(work(frame, new AbortController()), nameless)
    else if (held.has(id)) outlet.send(duplicate(id))
    else hold(id, frame)
  }

  function hold(id: string | number, frame: unknown): void {
    const abort = new AbortController()
    const done = work(frame, abort).finally(() => held.delete(id))
    held.set(id, { abort, done })
  }

  async function work(frame: unknown, abort: AbortController): Promise<void> {
    const answer = await dispatcher.dispatch(frame, session, abort.signal)
    if (answer.kind === 'response') outlet.send(answer.frame)
    if (answer.kind === 'stream') await stream(answer, abort)
  }

  async function stream(answer: Extract<Answer, { kind: 'stream' }>, abort: AbortController): Promise<void> {
    streaming.add(abort)
    if (finishing) abort.abort()
    const reason = await pump(answer.frames, outlet, abort.signal)
    streaming.delete(abort)
    // An error response has ended the stream already.
    if (reason === 'failed') return
    const params = { id: answer.id, reason: finishing ? 'complete' : reason }
    outlet.send({ jsonrpc: '2.0', method: STREAM_END, params })
  }

  function cancel(params: unknown): void {
    const id = isRecord(params) ? params['id'] : undefined
    if (typeof id === 'string' || typeof id === 'number') held.get(id)?.abort.abort()
  }

  return {
    receive,
    refuse: (type, message) => outlet.send({ jsonrpc: '2.0', id: null, error: wireError(type, message) }),
    async finish(graceMs) {
      finishing = true
      for (const abort of streaming) abort.abort()
      const timer = setTimeout(() => {
        for (const { abort } of held.values()) abort.abort()
      }, graceMs)
      await Promise.all([...[...held.values()].map(each => each.done), ...nameless])
      clearTimeout(timer)
    },
  }
}

/** Its id is made when asked for, which needs Node's cryptography: most clients never ask. */
function openSession(binding: Session['binding']): Session {
  let id: string | null = null
  return {
    binding,
    version: '',
    get id() {
      id ??= crypto.randomUUID()
      return id
    },
  }
}

interface Held {
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Asks for a frame only when the last one found room: a reader that stands still costs one frame. */
async function pump(
  frames: Frames,
  outlet: Outlet,
  signal: AbortSignal,
): Promise<StreamEndReason | 'failed'> {
  const aborted = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  for (;;) {
    const next = await frames.next()
    if (next.done) return signal.aborted ? 'cancelled' : next.value
    if (!signal.aborted) outlet.send(next.value)
    const room = outlet.room()
    if (room && !signal.aborted) await Promise.race([room, aborted])
  }
}

function track(promise: Promise<void>, all: Set<Promise<void>>): void {
  all.add(promise)
  void promise.finally(() => all.delete(promise))
}

function idOf(frame: unknown): JsonRpcId {
  const id = isRecord(frame) ? frame['id'] : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function duplicate(id: JsonRpcId): Frame {
  const message = `A request with the id ${JSON.stringify(id)} is being worked on; every request needs its own.`
  return { jsonrpc: '2.0', id, error: wireError('invalid_request', message, { id }) }
}
