import stringWidth from 'string-width'
import { plainStyle, readStyledRow, type Style, type StyledRow } from './styled-row.ts'

export type Cursor = { row: number; column: number }

/** A row as it stands on the terminal, with its cells once somebody needed them. */
export type PaintedRow = { text: string; cells: StyledRow | undefined }

const reset = '\u001b[0m'
const eraseToEnd = '\u001b[K'
// A cursor move costs about this many bytes; shorter stretches of equal cells are written again instead.
const worthSkipping = 10

/** The bytes that turn the rows on the terminal into the next ones; empty when they are equal. Nothing is erased first. */
export function rowBytes(
  painted: readonly PaintedRow[],
  next: readonly string[],
  columns: number,
): { bytes: string; rows: PaintedRow[] } {
  let bytes = ''
  const rows = next.map((text, index) => {
    const before = painted[index]
    if (before?.text === text) return before
    const row = { text, cells: readStyledRow(text) }
    bytes += changeOfRow(before, row, index + 1, columns)
    return row
  })
  return { bytes, rows }
}

/** Around a change: shown at once where the terminal can, the cursor out of the way while it is drawn. */
export function frameBytes(change: string, cursor: Cursor | undefined, wasCursorShown: boolean): string {
  const hide = wasCursorShown ? '\u001b[?25l' : ''
  const place = cursor === undefined ? '' : `${moveTo(cursor.row + 1, cursor.column + 1)}\u001b[?25h`
  return `\u001b[?2026h${hide}${change}${place}\u001b[?2026l`
}

function changeOfRow(
  before: PaintedRow | undefined,
  row: PaintedRow,
  number: number,
  columns: number,
): string {
  if (!before?.cells || !row.cells) return wholeRow(row.text, number, columns)
  const parts = changedCells(before.cells, row.cells, number, columns)
  const whole = wholeRow(row.text, number, columns)
  return parts.length < whole.length ? parts : whole
}

function wholeRow(text: string, number: number, columns: number): string {
  // With wrapping off the cursor stays on the last cell of a full row, and the erase would take that cell away.
  const erase = stringWidth(text) < columns ? eraseToEnd : ''
  return moveTo(number, 1) + text + reset + erase
}

function changedCells(before: StyledRow, row: StyledRow, number: number, columns: number): string {
  const length = row.characters.length
  let out = ''
  let column = 0
  while (column < length) {
    if (isSame(before, row, column)) {
      column++
      continue
    }
    const end = endOfChange(before, row, column)
    out += moveTo(number, column + 1) + cells(row, column, end)
    column = end
  }
  const isShorter = before.characters.length > length
  if (isShorter && length < columns) out += moveTo(number, length + 1) + eraseToEnd
  return out
}

/** Where the stretch that is worth writing in one go ends: before a long enough stretch of equal cells. */
function endOfChange(before: StyledRow, row: StyledRow, start: number): number {
  let end = start + 1
  for (let column = start + 1; column < row.characters.length; column++) {
    if (!isSame(before, row, column)) end = column + 1
    else if (column - end >= worthSkipping) break
  }
  return end
}

function isSame(before: StyledRow, row: StyledRow, column: number): boolean {
  const isInside = column < before.characters.length
  const wasCharacter = isInside ? before.characters[column] : ' '
  const wasStyle = isInside ? before.styles[column] : plainStyle
  return wasCharacter === row.characters[column] && wasStyle === row.styles[column]
}

/** The cells with as few style changes as they need; begins and ends in the terminal's plain style. */
function cells(row: StyledRow, start: number, end: number): string {
  let out = ''
  let style = plainStyle
  for (let column = start; column < end; column++) {
    const wanted = row.styles[column] ?? plainStyle
    const character = row.characters[column] ?? ''
    if (wanted !== style) {
      const next =
        character === ' ' ? { ...wanted, foreground: wanted.foreground || style.foreground } : wanted
      out += restyle(style, next)
      style = next
    }
    out += character
  }
  return out + restyle(style, plainStyle)
}

function restyle(from: Style, to: Style): string {
  const isPlainAgain = to.foreground === '' && to.background === '' && to.attributes === ''
  const isSame = from.foreground === to.foreground && from.background === to.background
  if (isSame && from.attributes === to.attributes) return ''
  if (isPlainAgain) return reset
  // Attributes cannot be taken away one by one without ending others of their kind.
  if (from.attributes !== '' && from.attributes !== to.attributes) return reset + restyle(plainStyle, to)
  const codes = [
    from.attributes === to.attributes ? '' : to.attributes,
    from.foreground === to.foreground ? '' : to.foreground || '39',
    from.background === to.background ? '' : to.background || '49',
  ]
  return `\u001b[${codes.filter(Boolean).join(';')}m`
}

function moveTo(row: number, column: number): string {
  return `\u001b[${row};${column}H`
}
