export type LogRing = {
  add(text: string): void
  /** The newest lines, oldest first. */
  lines(): readonly string[]
}

const maxLines = 1000
const maxLineLength = 4000

/** What the program printed while the screen had the terminal: the last lines of it, however much there was. */
export function createLogRing(): LogRing {
  const lines: string[] = []
  let unfinished = ''

  return {
    add(text) {
      const parts = (unfinished + text).split('\n')
      unfinished = (parts.pop() ?? '').slice(0, maxLineLength)
      lines.push(...parts.slice(-maxLines).map(line => line.slice(0, maxLineLength)))
      if (lines.length > maxLines) lines.splice(0, lines.length - maxLines)
    },
    lines: () => (unfinished === '' ? lines : [...lines, unfinished]),
  }
}
