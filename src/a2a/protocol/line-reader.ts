export interface LineReader {
  push(chunk: Uint8Array): void
}

export interface LineReaderOptions {
  readonly maxBytes: number
  /** One line, without its end. Empty lines are left out. */
  readonly onLine: (line: string) => void
  /** A line was longer and is skipped up to its end; called once for it. */
  readonly onTooLong: () => void
}

/** Cuts bytes into lines. A line feed ends one, a carriage return before it is dropped. Never holds more than one line. */
export function createLineReader({ maxBytes, onLine, onTooLong }: LineReaderOptions): LineReader {
  let parts: Uint8Array[] = []
  let length = 0
  let skipping = false

  function add(part: Uint8Array): void {
    if (skipping || part.length === 0) return
    length += part.length
    if (length <= maxBytes) parts.push(part)
    else {
      skipping = true
      parts = []
      onTooLong()
    }
  }

  function finish(): void {
    if (!skipping && length > 0) {
      const line = Buffer.concat(parts).toString('utf8').trimEnd()
      if (line !== '') onLine(line)
    }
    parts = []
    length = 0
    skipping = false
  }

  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
        add(chunk.subarray(start, end))
        finish()
        start = end + 1
      }
      add(chunk.subarray(start))
    },
  }
}

const LF = 10
