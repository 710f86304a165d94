import type { RawInput } from './input-event.ts'

export const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
const maxPasteLength = 1_000_000

export type PasteReader = {
  isOpen(): boolean
  open(): void
  /** Takes what belongs to the paste; the event when its end was there, and what follows it. */
  take(text: string): { event: RawInput | undefined; rest: string }
  /** The end never came: what was held back belongs to the paste too. */
  end(heldBack: string): RawInput
}

/** Collects one bracketed paste, whatever pieces it comes in, up to a million characters. */
export function createPasteReader(): PasteReader {
  let parts: string[] | undefined
  let length = 0
  let isTruncated = false

  function add(text: string): void {
    const room = maxPasteLength - length
    if (text.length > room) isTruncated = true
    parts?.push(text.slice(0, room))
    length += Math.min(text.length, room)
  }

  function finish(isComplete: boolean): RawInput {
    const text = (parts ?? []).join('').replace(/\r\n?/g, '\n').toWellFormed()
    const event: RawInput = { type: 'paste', text, isTruncated, isComplete }
    parts = undefined
    length = 0
    isTruncated = false
    return event
  }

  return {
    isOpen: () => parts !== undefined,
    open() {
      parts = []
    },
    take(text) {
      const end = text.indexOf(pasteEnd)
      if (end >= 0) {
        add(text.slice(0, end))
        return { event: finish(true), rest: text.slice(end + pasteEnd.length) }
      }
      const held = endsLikeMarker(text)
      add(text.slice(0, text.length - held))
      return { event: undefined, rest: text.slice(text.length - held) }
    },
    end(heldBack) {
      add(heldBack)
      return finish(false)
    },
  }
}

function endsLikeMarker(text: string): number {
  for (let held = pasteEnd.length - 1; held > 0; held--) {
    if (text.endsWith(pasteEnd.slice(0, held))) return held
  }
  return 0
}
