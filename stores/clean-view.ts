/**
 * Everything from the wire passes here once, so that nothing drawn later can carry an escape sequence.
 * Identifiers are left as they are: they are sent back, and are cleaned where they are drawn.
 */
export function cleanView<View>(view: View, clean: (line: string) => string): View {
  return cleaned(view, '', clean) as View // same shape: only the characters of its texts change
}

const sentBack = /^(id|digest|subscription)$|_id$|_ids$/

function cleaned(value: unknown, key: string, clean: (line: string) => string): unknown {
  if (typeof value === 'string') return sentBack.test(key) ? value : cleanText(value, clean)
  if (Array.isArray(value)) return value.map(each => cleaned(each, key, clean))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, part]) => [
    cleanText(name, clean),
    cleaned(part, name, clean),
  ])
  return Object.fromEntries(entries)
}

function cleanText(text: string, clean: (line: string) => string): string {
  if (!text.includes('\n')) return clean(text)
  return text
    .split(/\r?\n/)
    .map(line => clean(line))
    .join('\n')
}
