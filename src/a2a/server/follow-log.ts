import { setImmediate } from 'node:timers/promises'
import type { Backend } from '../../application/backend.ts'
import type { PlanEvent } from '../../application/events.ts'

/**
 * Pages of the event log after `afterSeq`, first what is there, then what comes, until the signal aborts. Nothing is
 * kept but the page in hand: a slow reader costs memory for one page, and reads on where it was.
 */
export async function* followLog(
  events: Backend['events'],
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<readonly PlanEvent[], void> {
  const changes = listen(events, signal)
  let seq = afterSeq
  try {
    while (!signal.aborted) {
      const page = events.read(seq, PAGE)
      const last = page.at(-1)
      if (!last) {
        await changes.next()
        continue
      }
      yield page
      seq = last.seq
      // A long replay must not keep other requests and the writing of frames waiting.
      await setImmediate()
    }
  } finally {
    changes.stop()
  }
}

const PAGE = 256

/** A change between two reads is remembered, so that none is slept through. */
function listen(events: Backend['events'], signal: AbortSignal) {
  let changed = false
  let wake = () => {}
  const hear = () => {
    changed = true
    wake()
  }
  const stopListening = events.onChange(hear)
  signal.addEventListener('abort', hear)
  return {
    async next(): Promise<void> {
      if (!changed && !signal.aborted) await new Promise<void>(resolve => (wake = resolve))
      changed = false
    },
    stop(): void {
      stopListening()
      signal.removeEventListener('abort', hear)
    },
  }
}
