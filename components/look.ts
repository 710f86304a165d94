import { wrapToWidth } from '../src/text/cells.ts'
import type { Mark } from '../stores/marks.ts'
import type { Theme } from '../themes/compile.ts'
import type { Glyphs } from '../themes/glyphs.ts'
import { formatLine, type LineParts, type Segment } from './parts/format-line.ts'
import { markGlyph, markTones } from './words.ts'

/** How things are drawn now: colours, marks, and the spinner's present picture. */
export interface Look {
  readonly theme: Theme
  readonly glyphs: Glyphs
  readonly charset: 'unicode' | 'ascii'
  /** Called where a spinner is drawn; that it was called is why the next tick comes. */
  readonly spinner: () => string
}

export function line(look: Look, parts: LineParts): string {
  return formatLine(look.theme, { ellipsis: look.glyphs.ellipsis, ...parts })
}

export function markSegment(look: Look, mark: Mark): Segment {
  const text = mark === 'running' ? look.spinner() : markGlyph(look.glyphs, mark)
  return { text, tone: markTones[mark] }
}

/** A text as rows of at most this many cells, each after the same indentation. */
export function wrapped(
  text: string,
  width: number,
  tone: Segment['tone'] = 'text',
  indent = 0,
): Segment[][] {
  const before = ' '.repeat(indent)
  return wrapToWidth(text, Math.max(1, width - indent)).map(piece => [{ text: before + piece, tone }])
}

/** The rows from `top` on, each of exactly this width. */
export function linesFrom(
  look: Look,
  rows: readonly (readonly Segment[])[],
  window: { top: number; width: number; height: number },
): string[] {
  const { top, width, height } = window
  return rows.slice(top, top + height).map(left => line(look, { left, width }))
}

/** The rows from `top` on, never beyond the last; the last line tells how many more there are below. */
export function scrolledLines(
  look: Look,
  rows: readonly (readonly Segment[])[],
  { top, width, height, keys }: { top: number; width: number; height: number; keys: string },
): string[] {
  const from = Math.max(0, Math.min(top, rows.length - height))
  const above = from === 0 ? '' : `, ${from} above`
  return cutLines(look, rows.slice(from), { width, height, more: `more${above}: ${keys}` })
}

/** The first rows, and in the last one how many more there are, where not all of them fit. */
export function cutLines(
  look: Look,
  rows: readonly (readonly Segment[])[],
  { width, height, more = 'more' }: { width: number; height: number; more?: string },
): string[] {
  const lines = linesFrom(look, rows, { top: 0, width, height })
  const hidden = rows.length - height
  if (hidden <= 0 || height < 1) return lines
  const word = ` ${look.glyphs.down} ${hidden + 1} ${more}`
  return [...lines.slice(0, -1), line(look, { left: [{ text: word, tone: 'muted' }], width })]
}
