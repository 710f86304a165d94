import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEditor, type Editor, editorInput } from '../../../components/parts/editor-model.ts'
import { viewEditor } from '../../../components/parts/editor-view.ts'
import type { InputEvent } from '../../../components/terminal/input-event.ts'
import { createInputParser } from '../../../components/terminal/input-parser.ts'
import { cellWidth } from '../../../src/text/cells.ts'
import { createFakeClock } from '../../support/clock.ts'
import { keys } from '../../support/keys.ts'

/** The text with a bar where the cursor is, after the chunks of bytes were typed. */
function typed(lines: Editor['lines'], text: string, ...chunks: string[]): string {
  let editor = createEditor(lines, text)
  const clock = createFakeClock()
  const take = (event: InputEvent) => {
    if (event.type === 'key' || event.type === 'paste') editor = editorInput(editor, event) ?? editor
  }
  const parser = createInputParser(clock, take)
  for (const chunk of chunks) {
    parser.push(new TextEncoder().encode(chunk))
    clock.advance(100)
  }
  return `${editor.text.slice(0, editor.at)}|${editor.text.slice(editor.at)}`
}

const altBackspace = '\u001b\u007f'
const altEnter = '\u001b\r'
const ctrlLeft = '\u001b[1;5D'
const ctrlRight = '\u001b[1;5C'

describe('a text field', () => {
  test.each([
    ['typing', '', ['a', 'b', ' ', 'c'], 'ab c|'],
    ['typing in the middle', 'ac', [keys.left, 'b'], 'ab|c'],
    ['backspace', 'ab', [keys.backspace], 'a|'],
    ['backspace at the start', 'ab', [keys.home, keys.backspace], '|ab'],
    ['delete', 'ab', [keys.home, keys.delete], '|b'],
    ['a wide character is one step', '你好', [keys.left, keys.left, keys.right], '你|好'],
    ['a family of several code points is one step', 'x👩‍💻', [keys.backspace], 'x|'],
    ['combining marks go with their letter', 'e\u0301', [keys.backspace], '|'],
    ['home and end', 'abc', [keys.home, 'x', keys.end, 'y'], 'xabcy|'],
    ['a word backwards', 'one two-three', [ctrlLeft, ctrlLeft], 'one |two-three'],
    ['a word forwards', 'one two', [keys.home, ctrlRight], 'one| two'],
    ['cutting a word', 'one two', [keys.ctrl('w')], 'one |'],
    ['cutting a word with alt', 'one two  ', [altBackspace], 'one |'],
    ['cutting to the start', 'one two', [keys.left, keys.ctrl('u')], '|o'],
    ['cutting to the end', 'one', [keys.home, keys.right, keys.ctrl('k')], 'o|'],
    ['keys that are not for it', 'a', [keys.tab, keys.escape, '\u001b[15~'], 'a|'],
  ])('%s', (_what, text, chunks, result) => {
    expect(typed('one', text, ...chunks)).toBe(result)
  })

  test('of one line leaves Enter to others and puts pasted lines side by side', () => {
    expect(typed('one', 'a', keys.enter, altEnter)).toBe('a|')
    expect(typed('one', '', keys.paste('two \n  lines\n'))).toBe('two lines |')
  })

  test('of many lines breaks the line on alt+enter and leaves Enter to others', () => {
    expect(typed('many', 'a', altEnter, 'b', keys.enter)).toBe('a\nb|')
  })

  test('takes a paste as one insertion', () => {
    expect(typed('many', 'ad', keys.left, keys.paste('b\r\nc'))).toBe('ab\nc|d')
  })

  test('takes Enter in a burst as a line end, because unmarked pastes arrive like that', () => {
    expect(typed('many', '', 'one\rtwo\r')).toBe('one\ntwo\n|')
  })

  test.each([
    ['down keeps the column', [keys.home, keys.up, keys.up, keys.right, keys.down], 'one\nt|wo\nthree'],
    ['up from the first line goes to its start', [keys.up, keys.up, keys.up, keys.up], '|one\ntwo\nthree'],
    ['down from the last line goes to its end', [keys.home, keys.down], 'one\ntwo\nthree|'],
    ['a shorter line takes the cursor to its end', [keys.up], 'one\ntwo|\nthree'],
  ])('%s', (_what, chunks, result) => {
    expect(typed('many', 'one\ntwo\nthree', ...chunks)).toBe(result)
  })
})

describe('what a text field shows', () => {
  test.each([
    ['wraps at its width', 'abcdef', 6, 4, ['abcd', 'ef'], [1, 2]],
    ['goes on below when a line is full', 'abcd', 4, 4, ['abcd', ''], [1, 0]],
    ['never halves a wide character', 'a你好', 3, 4, ['a你', '好'], [1, 2]],
    ['counts wide characters as two cells', '你好', 1, 10, ['你好'], [0, 2]],
    ['begins a line at a line end', 'a\nb', 2, 10, ['a', 'b'], [1, 0]],
    ['ends with an empty line', 'a\n', 2, 10, ['a', ''], [1, 0]],
    ['shows hidden characters', 'a\u001b\u200bb', 1, 10, ['a␛·b'], [0, 1]],
    ['is empty', '', 0, 10, [''], [0, 0]],
  ])('%s', (_what, text, at, width, lines, [row, column]) => {
    const view = viewEditor({ text, at, lines: 'many' }, width, 10)
    expect(view).toEqual({ lines, cursor: { row, column } })
  })

  test('keeps the cursor in sight when it has more lines than rows', () => {
    expect(viewEditor(createEditor('many', '1\n2\n3\n4'), 10, 2)).toEqual({
      lines: ['3', '4'],
      cursor: { row: 1, column: 1 },
    })
  })

  test('scrolls sideways when it has one line', () => {
    expect(viewEditor(createEditor('one', 'abcdefgh'), 5, 1)).toEqual({
      lines: ['efgh'],
      cursor: { row: 0, column: 4 },
    })
  })

  test('has the cursor always inside', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '你', '\n', '\t', 'é', '\u200b') })
    const shape = fc.record({
      width: fc.integer({ min: 2, max: 12 }),
      height: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        shape,
        fc.constantFrom('one' as const, 'many' as const),
        (text, place, shape, lines) => {
          const at = [...text].slice(0, place % (text.length + 1)).join('').length
          const view = viewEditor({ text, at, lines }, shape.width, shape.height)
          expect(view.cursor.row).toBeLessThan(Math.min(view.lines.length, shape.height))
          expect(view.cursor.column).toBeLessThan(shape.width)
          expect(view.cursor.column).toBeGreaterThanOrEqual(0)
          for (const line of view.lines) expect(cellWidth(line)).toBeLessThanOrEqual(shape.width)
        },
      ),
      { seed: 8 },
    )
  })
})
