import type { Transport, TransportListener } from './transport.ts'

/** What the backend's side of the pair offers: `openConnection` of the server does. */
export interface FarEnd {
  receive(frame: unknown): void
  finish(graceMs: number): Promise<void>
}

/**
 * A pair in one process, for commands that run once. Every frame goes through JSON, so that nothing can pass here
 * that a pipe would not carry.
 */
export function connectInMemory(open: (deliver: (frame: unknown) => void) => FarEnd): Transport {
  let listener: TransportListener | null = null
  const farEnd = open(frame => {
    const copy = throughJson(frame)
    queueMicrotask(() => listener?.onFrame(copy))
  })
  return {
    listen: given => {
      listener = given
    },
    send: frame => farEnd.receive(throughJson(frame)),
    async close() {
      await farEnd.finish(0)
      listener?.onClose('closed')
      listener = null
    },
  }
}

function throughJson(frame: unknown): unknown {
  return JSON.parse(JSON.stringify(frame))
}
