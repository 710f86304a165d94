import type { Clock } from './clock.ts'
import type { InputEvent, RawInput } from './input-event.ts'
import { readToken } from './input-token.ts'
import { createPasteReader, pasteStart } from './paste-reader.ts'

const escapeMs = 30
// The rest of a sequence may be slow over a network; read too early its last letter would count as typed.
const sequenceMs = 200
const pasteMs = 1000

export type InputParser = {
  push(bytes: Uint8Array): void
  /** What waits for more bytes is told now, as if time had passed. */
  flush(): void
  close(): void
}

/** The one reader of the keyboard: bytes in, typed events out. A paste is one event, several keys in one read are several. */
export function createInputParser(clock: Clock, emit: (event: InputEvent) => void): InputParser {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const paste = createPasteReader()
  let waiting = ''
  let chunk = 0
  let cancelTimer = () => {}

  function read(text: string): RawInput[] {
    waiting += text
    const found: RawInput[] = []
    while (waiting !== '') {
      const event = paste.isOpen() ? readPaste() : readPlain()
      if (event === undefined) break
      if (event !== 'started') found.push(event)
    }
    return found
  }

  function readPaste(): RawInput | undefined {
    const { event, rest } = paste.take(waiting)
    waiting = rest
    return event
  }

  function readPlain(): RawInput | 'started' | undefined {
    if (waiting.startsWith(pasteStart)) {
      waiting = waiting.slice(pasteStart.length)
      paste.open()
      return 'started'
    }
    const token = readToken(waiting)
    if (token === undefined) return undefined
    waiting = waiting.slice(token.length)
    return token.event
  }

  function deliver(events: RawInput[]): void {
    const origin = { at: clock.now(), chunk: chunk++, of: events.length }
    events.forEach((event, nth) => {
      emit({ ...event, ...origin, nth })
    })
  }

  function waitForMore(): void {
    cancelTimer()
    const delay = paste.isOpen() ? pasteMs : waitMs(waiting)
    cancelTimer = delay === undefined ? () => {} : clock.after(delay, giveUpWaiting)
  }

  function giveUpWaiting(): void {
    cancelTimer()
    const open = paste.isOpen() ? [paste.end(waiting)] : []
    const rest = open.length > 0 ? '' : waiting
    waiting = ''
    const events = [...open, ...readUnfinished(rest)]
    if (events.length > 0) deliver(events)
  }

  return {
    push(bytes) {
      const events = read(decoder.decode(bytes, { stream: true }))
      if (events.length > 0) deliver(events)
      waitForMore()
    },
    flush: giveUpWaiting,
    close: () => cancelTimer(),
  }
}

function waitMs(waiting: string): number | undefined {
  if (waiting === '') return undefined
  return waiting === '\u001b' || waiting === '\u001b\u001b' ? escapeMs : sequenceMs
}

/** No more bytes came: a lone Esc is the key, `ESC [` was Alt and a bracket, a begun sequence is dropped as a reply. */
function readUnfinished(text: string): RawInput[] {
  if (text === '') return []
  const token = readToken(text, 'noMoreComes')
  if (token === undefined) return [{ type: 'reply', sequence: text }]
  return [token.event, ...readUnfinished(text.slice(token.length))]
}
