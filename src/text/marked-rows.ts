import { cellWidth, graphemesOf } from './cells.ts'

export interface MarkedRow {
  readonly pieces: readonly { readonly text: string; readonly isMarked: boolean }[]
  /** Carets below the marked pieces, so that the marks are seen without colours; null where the row has none. */
  readonly carets: string | null
}

interface Mark {
  readonly start: number
  readonly end: number
}

/** A text in rows of a width, nothing left out, with stretches of it marked. Marks count in UTF-16 units. */
export function markedRows(text: string, marks: readonly Mark[], width: number): MarkedRow[] {
  const rows: MarkedRow[] = []
  let row: { text: string; isMarked: boolean }[] = []
  let used = 0
  let at = 0
  for (const grapheme of graphemesOf(text)) {
    const isMarked = marks.some(({ start, end }) => at >= start && at < end)
    const cells = cellWidth(grapheme)
    at += grapheme.length
    const isBreak = grapheme === '\n' || grapheme === '\r\n'
    if (isBreak || (used > 0 && used + cells > width)) endRow()
    if (isBreak) continue
    const last = row.at(-1)
    if (last?.isMarked === isMarked) last.text += grapheme
    else row.push({ text: grapheme, isMarked })
    used += cells
  }
  if (row.length > 0) endRow()
  return rows

  function endRow(): void {
    rows.push({ pieces: row, carets: caretsOf(row) })
    row = []
    used = 0
  }
}

function caretsOf(pieces: MarkedRow['pieces']): string | null {
  if (!pieces.some(({ isMarked }) => isMarked)) return null
  return pieces
    .map(({ text, isMarked }) => (isMarked ? '^' : ' ').repeat(cellWidth(text)))
    .join('')
    .trimEnd()
}
