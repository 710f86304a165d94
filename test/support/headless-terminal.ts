import xterm from '@xterm/headless'

export type CellStyle = {
  foreground: string | undefined
  background: string | undefined
  isBold: boolean
  isDim: boolean
  isItalic: boolean
  isUnderlined: boolean
  isInverse: boolean
}
export type Cell = { text: string; width: number; style: CellStyle }

/** A terminal without a window: bytes in, what a person would see out. */
export function createHeadlessTerminal(columns: number, rows: number) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 })

  function line(row: number): string {
    const buffer = terminal.buffer.active
    return buffer.getLine(buffer.viewportY + row)?.translateToString(true, 0, terminal.cols) ?? ''
  }

  const screen = {
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    /** Resolves when the terminal has taken the bytes in. */
    write: (data: string | Uint8Array) => new Promise<void>(resolve => terminal.write(data, resolve)),
    resize: (newColumns: number, newRows: number) => terminal.resize(newColumns, newRows),
    onReply: (listener: (data: string) => void) => terminal.onData(listener),
    line,
    lines: () => Array.from({ length: terminal.rows }, (_, row) => line(row)),
    text: () => screen.lines().join('\n'),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    cursor: () => ({ row: terminal.buffer.active.cursorY, column: terminal.buffer.active.cursorX }),
    cell(row: number, column: number): Cell {
      const buffer = terminal.buffer.active
      const cell = buffer.getLine(buffer.viewportY + row)?.getCell(column)
      return {
        text: cell?.getChars() ?? '',
        width: cell?.getWidth() ?? 1,
        style: {
          foreground: colourOf(cell?.isFgRGB(), cell?.isFgPalette(), cell?.getFgColor()),
          background: colourOf(cell?.isBgRGB(), cell?.isBgPalette(), cell?.getBgColor()),
          isBold: Boolean(cell?.isBold()),
          isDim: Boolean(cell?.isDim()),
          isItalic: Boolean(cell?.isItalic()),
          isUnderlined: Boolean(cell?.isUnderline()),
          isInverse: Boolean(cell?.isInverse()),
        },
      }
    },
    /** The cell where the text begins, for looking at its colours. */
    cellOf(text: string): Cell {
      const row = screen.lines().findIndex(line => line.includes(text))
      if (row < 0) throw new Error(`"${text}" is not on the screen:\n${screen.text()}`)
      for (let column = 0; column < terminal.cols; column++) {
        if (textFrom(row, column).startsWith(text)) return screen.cell(row, column)
      }
      throw new Error(`"${text}" begins in no cell of row ${row}`)
    },
    dispose: () => terminal.dispose(),
  }

  function textFrom(row: number, column: number): string {
    const buffer = terminal.buffer.active
    return buffer.getLine(buffer.viewportY + row)?.translateToString(true, column, terminal.cols) ?? ''
  }

  return screen
}

export type HeadlessTerminal = ReturnType<typeof createHeadlessTerminal>

function colourOf(isRgb?: boolean, isPalette?: boolean, value = 0): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  return isPalette ? `palette-${value}` : undefined
}
