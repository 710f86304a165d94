import { takeCells } from '../../../src/text/cells.ts'

/** Cells for the number of a line. */
export const gutter = 6

/** A line of megabytes costs no more than this until it is asked for. */
export const maxLineLength = 4_000

export const lineTones = {
  header: 'muted',
  hunk: 'accent',
  context: 'text',
  added: 'added',
  removed: 'removed',
  note: 'muted',
} as const

/** A text without what is hidden on the left. */
export function skipCells(text: string, cells: number): string {
  return text.slice(takeCells(text, cells).length)
}
