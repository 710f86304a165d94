import { cellWidth, graphemesOf } from '../../src/text/cells.ts'
import { sanitize } from '../../src/text/sanitize.ts'
import type { Editor } from './editor-model.ts'

export type EditorView = {
  /** At most `height` rows of at most `width` cells. */
  lines: string[]
  /** Where the cursor stands in them. */
  cursor: { row: number; column: number }
}

type Layout = { lines: string[]; cursor: { row: number; column: number } }

/** The part of the text around the cursor. A field of one line scrolls sideways, one of many lines wraps. */
export function viewEditor(editor: Editor, width: number, height: number): EditorView {
  const wrapWidth = editor.lines === 'one' ? Number.POSITIVE_INFINITY : Math.max(1, width)
  const layout = layOut(editor, wrapWidth)
  return editor.lines === 'one' ? scrollSideways(layout, width) : scrollDown(layout, height)
}

function layOut(editor: Editor, width: number): Layout {
  const lines = ['']
  let column = 0
  let cursor = { row: 0, column: 0 }
  let offset = 0
  for (const grapheme of graphemesOf(editor.text)) {
    const shown = grapheme === '\n' ? '' : displayOf(grapheme)
    const cells = cellWidth(shown)
    // A full line goes on below, and the cursor with it.
    if (column + cells > width || (column === width && grapheme !== '\n')) {
      lines.push('')
      column = 0
    }
    if (offset === editor.at) cursor = { row: lines.length - 1, column }
    offset += grapheme.length
    lines[lines.length - 1] += shown
    column += cells
    if (grapheme !== '\n') continue
    lines.push('')
    column = 0
  }
  if (offset === editor.at) cursor = atEnd(lines, column, width)
  return { lines, cursor }
}

function atEnd(lines: string[], column: number, width: number): { row: number; column: number } {
  if (column < width) return { row: lines.length - 1, column }
  lines.push('')
  return { row: lines.length - 1, column: 0 }
}

function displayOf(grapheme: string): string {
  return grapheme === '\t' ? '  ' : sanitize(grapheme)
}

function scrollDown({ lines, cursor }: Layout, height: number): EditorView {
  const first = Math.max(0, cursor.row - height + 1)
  return {
    lines: lines.slice(first, first + height),
    cursor: { row: cursor.row - first, column: cursor.column },
  }
}

function scrollSideways({ lines, cursor }: Layout, width: number): EditorView {
  const hidden = Math.max(0, cursor.column - width + 1)
  let skipped = 0
  let shown = ''
  for (const grapheme of graphemesOf(lines[0] ?? '')) {
    const cells = cellWidth(grapheme)
    if (skipped < hidden) skipped += cells
    else if (cellWidth(shown) + cells <= width) shown += grapheme
    else break
  }
  return { lines: [shown], cursor: { row: 0, column: cursor.column - skipped } }
}
