import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { formatLine } from '../../../components/parts/format-line.ts'
import { compileTheme } from '../../../themes/compile.ts'
import { dark } from '../../../themes/dark.ts'

const theme = compileTheme(dark, 'none')
const coloured = compileTheme(dark, 'truecolor')

test.each([
  [['short'], [], 10, 'short     '],
  [['a longer text'], [], 8, 'a longe…'],
  [['name'], ['+3 -1'], 14, 'name     +3 -1'],
  [['a name that is long'], ['+3 -1'], 14, 'a name … +3 -1'],
  [['one', ' two'], [], 3, 'on…'],
  [['one', ''], [], 3, 'one'],
  [['你好吗'], ['x'], 7, '你好… x'],
  [['你好吗'], ['x'], 6, '你…  x'],
  [['text'], ['too wide'], 5, 'too …'],
  [['text'], ['x'], 0, ''],
])('%j with %j at the right of %i cells is %j', (left, right, width, line) => {
  const segments = (texts: string[]) => texts.map(text => ({ text }))
  expect(formatLine(theme, { left: segments(left), right: segments(right), width })).toBe(line)
})

test('a line takes exactly its cells, whatever is in it', () => {
  const segment = fc.record({
    text: fc.string({ unit: fc.constantFrom('a', ' ', '你', '●', 'é') }),
    tone: fc.constant('added' as const),
  })
  fc.assert(
    fc.property(
      fc.array(segment),
      fc.array(segment, { maxLength: 2 }),
      fc.nat({ max: 40 }),
      (left, right, width) => {
        expect(stringWidth(formatLine(coloured, { left, right, width, surface: 'selection' }))).toBe(width)
      },
    ),
    { seed: 8 },
  )
})

test('the surface lies under the whole line and a word keeps its own', () => {
  const line = formatLine(coloured, {
    left: [{ text: 'a' }, { text: 'b', on: 'match' }],
    width: 3,
    surface: 'selection',
  })
  const { selection, match } = coloured.surface
  expect(line).toBe(`${selection}a\u001b[0m${match}b\u001b[0m${selection} \u001b[0m`)
})

test('a line without any meaning carries no sequence', () => {
  expect(formatLine(coloured, { left: [{ text: 'plain' }], width: 6 })).toBe('plain ')
})
