import { sanitize } from '../../text/sanitize.ts'

/** A view whose every text is safe to draw. Line ends inside a text stay: renderers split at them. */
export function cleaned<View>(view: View): View {
  return cleanedValue(view) as View // same shape: only the characters of its texts change
}

/** Text for one line: a line end inside becomes visible. */
export function cleanLine(text: string): string {
  return sanitize(text)
}

function cleanedValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanedValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [sanitize(key), cleanedValue(part)]))
}

function cleanText(text: string): string {
  if (!text.includes('\n')) return sanitize(text)
  return text
    .split(/\r?\n/)
    .map(line => sanitize(line))
    .join('\n')
}
