import stringWidth from 'string-width'

// Text here is already sanitised: no escape sequences, so every grapheme is something that is drawn.
const plainAscii = /^[\x20-\x7e]*$/
// Made when first used: it takes 20 ms, and most of what commands print is plain letters.
let segmenter: Intl.Segmenter | null = null
const maxCached = 4096
const widthOfGrapheme = new Map<string, number>()

/** How many terminal cells the text takes. */
export function cellWidth(text: string): number {
  if (plainAscii.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme)
  return width
}

/** At most `width` cells; what was lost is told by the ellipsis. */
export function cutToWidth(text: string, width: number, ellipsis = '…'): string {
  if (width <= 0) return ''
  if (cellWidth(text) <= width) return text
  return takeCells(text, width - 1) + ellipsis
}

/** Exactly `width` cells: cut when longer, filled with spaces when shorter. */
export function fitToWidth(text: string, width: number, ellipsis = '…'): string {
  const cut = cutToWidth(text, width, ellipsis)
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)))
}

/** The longest beginning that fits; a wide character is never halved. */
export function takeCells(text: string, width: number): string {
  if (plainAscii.test(text)) return text.slice(0, Math.max(0, width))
  let taken = ''
  let used = 0
  for (const grapheme of graphemesOf(text)) {
    used += graphemeWidth(grapheme)
    if (used > width) break
    taken += grapheme
  }
  return taken
}

/** Lines of at most `width` cells, broken at spaces where there are any. Spaces inside a line stay as they are. */
export function wrapToWidth(text: string, width: number): string[] {
  const room = Math.max(1, width)
  return text.split('\n').flatMap(line => wrapLine(line, room))
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (cellWidth(rest) > width) {
    const head = takeCells(rest, width) || firstGrapheme(rest)
    const breakAt = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ')
    // A break at the very start would make an empty line and lose the indentation.
    const hasWordBefore = breakAt > 0 && head.slice(0, breakAt).trim() !== ''
    lines.push(hasWordBefore ? rest.slice(0, breakAt) : head)
    rest = hasWordBefore ? rest.slice(breakAt + 1) : rest.slice(head.length)
  }
  if (rest !== '' || lines.length === 0) lines.push(rest)
  return lines
}

export function graphemesOf(text: string): string[] {
  if (plainAscii.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), part => part.segment)
}

function firstGrapheme(text: string): string {
  return graphemesOf(text)[0] ?? ''
}

function graphemeWidth(grapheme: string): number {
  const known = widthOfGrapheme.get(grapheme)
  if (known !== undefined) return known
  if (widthOfGrapheme.size >= maxCached) widthOfGrapheme.clear()
  const width = stringWidth(grapheme)
  widthOfGrapheme.set(grapheme, width)
  return width
}
