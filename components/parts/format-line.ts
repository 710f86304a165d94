import { cellWidth, cutToWidth } from '../../src/text/cells.ts'
import type { Theme } from '../../themes/compile.ts'
import type { ForegroundToken, SurfaceToken } from '../../themes/tokens.ts'

/** A stretch of sanitised text in one meaning. `on` overrides the surface of the line, for words inside a changed line. */
export type Segment = { text: string; tone?: ForegroundToken; on?: SurfaceToken }

export type LineParts = {
  left: readonly Segment[]
  /** Marks that stay whole and aligned at the right edge; the left gives way with an ellipsis. */
  right?: readonly Segment[]
  width: number
  surface?: SurfaceToken | undefined
  ellipsis?: string
}

/** One row of exactly `width` cells: measured and cut first, coloured afterwards. */
export function formatLine(theme: Theme, { left, right = [], width, surface, ellipsis }: LineParts): string {
  const rightSegments = cutSegments(right, width, ellipsis)
  const rightWidth = segmentsWidth(rightSegments)
  const room = width - rightWidth - (rightWidth > 0 ? 1 : 0)
  const leftSegments = cutSegments(left, Math.max(0, room), ellipsis)
  const gap = width - segmentsWidth(leftSegments) - rightWidth
  return paint(theme, [...leftSegments, { text: ' '.repeat(Math.max(0, gap)) }, ...rightSegments], surface)
}

export function segmentsWidth(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + cellWidth(segment.text), 0)
}

function cutSegments(segments: readonly Segment[], width: number, ellipsis = '…'): Segment[] {
  if (segmentsWidth(segments) <= width) return [...segments]
  const kept: Segment[] = []
  let room = width
  for (const segment of segments) {
    const own = cellWidth(segment.text)
    // The last cell is the ellipsis', even where this segment would just fit: more follows that does not.
    if (own < room) {
      kept.push(segment)
      room -= own
      continue
    }
    const text =
      own === room ? cutToWidth(`${segment.text} `, room, ellipsis) : cutToWidth(segment.text, room, ellipsis)
    kept.push({ ...segment, text })
    break
  }
  return kept
}

function paint(theme: Theme, segments: readonly Segment[], surface: SurfaceToken | undefined): string {
  let out = ''
  let before = ''
  for (const { text, tone, on = surface } of segments) {
    if (text === '') continue
    const style = (on ? theme.surface[on] : '') + (tone ? theme.foreground[tone] : '')
    if (style !== before) out += (before === '' ? '' : theme.reset) + style
    out += text
    before = style
  }
  return before === '' ? out : out + theme.reset
}
