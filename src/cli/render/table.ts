import { cellWidth, fitToWidth } from '../../text/cells.ts'
import { cut, type Paper } from './paper.ts'
import { oneLine } from './words.ts'

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The column that gives way where the paper is narrow. */
  readonly flexible: number
  /** Said instead of an empty table. */
  readonly empty: string
}

const GAP = '  '
const MIN_FLEXIBLE = 10

export function tableLines({ head, rows: given, flexible, empty }: Table, paper: Paper): string[] {
  if (given.length === 0) return [empty]
  const rows = given.map(row => row.map(oneLine))
  const widths = fittedWidths([head, ...rows], flexible, paper.columns)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => fitToWidth(cell, widths[column] ?? 0, paper.marks.ellipsis))
      .join(GAP)
      .trimEnd()
  return [paper.paint('muted', cut(line(head), paper)), ...rows.map(row => cut(line(row), paper))]
}

/** Names and their values, one a line, the values aligned; what is null is left out. */
export function factLines(
  facts: readonly (readonly [name: string, value: string | null])[],
  paper: Paper,
): string[] {
  const shown = facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]))
  const width = Math.max(0, ...shown.map(({ name }) => cellWidth(name)))
  return shown.flatMap(({ name, value }) =>
    value
      .split('\n')
      .map((line, at) => `  ${paper.paint('muted', fitToWidth(at === 0 ? name : '', width))}  ${line}`),
  )
}

function fittedWidths(rows: readonly (readonly string[])[], flexible: number, columns: number): number[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => cellWidth(row[column] ?? ''))),
  )
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length)
  const tooMuch = Math.max(0, total - columns)
  return widths.map((width, column) =>
    column === flexible ? Math.max(Math.min(width, MIN_FLEXIBLE), width - tooMuch) : width,
  )
}
