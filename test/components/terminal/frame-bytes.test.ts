import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameBytes, type PaintedRow, rowBytes } from '../../../components/terminal/frame-bytes.ts'
import { cellWidth, takeCells } from '../../../src/text/cells.ts'
import { createHeadlessTerminal } from '../../support/headless-terminal.ts'

const columns = 30

function change(before: string, after: string): string {
  const { rows } = rowBytes([], [before], columns)
  return rowBytes(rows, [after], columns).bytes
}

test('nothing is written when nothing changed', () => {
  expect(change('the same', 'the same')).toBe('')
})

test('only the changed cells of a row are written', () => {
  expect(change('count 41 of many', 'count 42 of many')).toBe('\u001b[1;8H2')
})

test('changes far apart in a row are written apart', () => {
  const bytes = change('a....................b', 'A....................B')
  expect(bytes).toBe('\u001b[1;1HA\u001b[1;22HB')
})

test('a changed colour is a changed cell', () => {
  const bytes = change('plain word', 'plain \u001b[31mword\u001b[39m')
  expect(bytes).toBe('\u001b[1;7H\u001b[31mword\u001b[0m')
})

test('a shorter row is erased from where it ends', () => {
  expect(change('a longer row', 'a longer')).toBe('\u001b[1;9H\u001b[K')
})

test('a row as wide as the window is never erased, or its last cell would go', () => {
  const full = 'x'.repeat(columns)
  expect(rowBytes([], [full], columns).bytes).not.toContain('\u001b[K')
  expect(change('', full)).not.toContain('\u001b[K')
})

test('a row with characters whose width terminals disagree on is written whole', () => {
  expect(change('你好 one', '你好 two')).toBe('\u001b[1;1H你好 two\u001b[0m\u001b[K')
})

const styles = [
  '',
  '\u001b[31m',
  '\u001b[1m\u001b[38;2;1;2;3m',
  '\u001b[48;5;17m',
  '\u001b[7m',
  '\u001b[39m',
  '\u001b[0m',
]
const piece = fc.tuple(
  fc.constantFrom(...styles),
  fc.constantFrom('a', 'bc', '    ', '●', '─│', '你', 'longer text'),
)
const row = fc.array(piece, { maxLength: 8 }).map(pieces => {
  let line = ''
  let width = 0
  for (const [style, text] of pieces) {
    const shown = takeCells(text, columns - width)
    line += style + shown
    width += cellWidth(shown)
  }
  return `${line}\u001b[0m`
})
const frame = fc.array(row, { minLength: 4, maxLength: 4 })

test('after any series of frames the terminal shows what a fresh one shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 2, maxLength: 5 }), async frames => {
      const grown = createHeadlessTerminal(columns, 4)
      const fresh = createHeadlessTerminal(columns, 4)
      let painted: readonly PaintedRow[] = []
      for (const lines of frames) {
        const { bytes, rows } = rowBytes(painted, lines, columns)
        painted = rows
        await grown.write(`\u001b[?7l${frameBytes(bytes, undefined, false)}`)
      }
      await fresh.write(
        `\u001b[?7l${frameBytes(rowBytes([], frames.at(-1) ?? [], columns).bytes, undefined, false)}`,
      )
      expect(allCells(grown)).toEqual(allCells(fresh))
      grown.dispose()
      fresh.dispose()
    }),
    process.env['LONG'] === '1' ? { numRuns: 3000 } : { numRuns: 150, seed: 8 },
  )
})

function allCells(terminal: ReturnType<typeof createHeadlessTerminal>) {
  return Array.from({ length: 4 }, (_, y) =>
    Array.from({ length: columns }, (_, x) => {
      const { text, style } = terminal.cell(y, x)
      // An erased cell and a written space look the same.
      return [text === '' ? ' ' : text, style.background, style.isInverse, text.trim() && style.foreground]
    }),
  )
}
