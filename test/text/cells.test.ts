import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { cellWidth, cutToWidth, fitToWidth, wrapToWidth } from '../../src/text/cells.ts'

test.each([
  ['abc', 3],
  ['你好', 4],
  ['e\u0301', 1],
  ['●─▸', 3],
  ['', 0],
])('%j takes %i cells', (text, width) => {
  expect(cellWidth(text)).toBe(width)
})

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 5, 'too …'],
  ['你好吗', 5, '你好…'],
  ['你好吗', 4, '你…'],
  ['anything', 1, '…'],
  ['anything', 0, ''],
])('%j in %i cells becomes %j', (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut)
})

test('text without Unicode is cut with a mark of its own', () => {
  expect(cutToWidth('too long', 5, '~')).toBe('too ~')
})

test.each([
  ['one two three', 8, ['one two', 'three']],
  ['one  two', 5, ['one ', 'two']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['你好世界', 4, ['你好', '世界']],
  ['a\nb', 5, ['a', 'b']],
  ['    indented text', 8, ['    inde', 'nted', 'text']],
  ['', 5, ['']],
  ['你', 1, ['你']],
])('%j wraps to %i cells', (text, width, lines) => {
  expect(wrapToWidth(text, width)).toEqual(lines)
})

const anyText = fc.string({ unit: fc.constantFrom('a', ' ', '你', '́', '●', '🙂', 'é', '한') })

test('fitted text takes exactly the cells asked for', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 30 }), (text, width) => {
      const fitted = fitToWidth(text, width)
      expect(stringWidth(fitted)).toBe(width)
      expect(cellWidth(fitted)).toBe(width)
    }),
  )
})

test('wrapped lines fit and lose nothing but the spaces they broke at', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 12 }), (text, width) => {
      const lines = wrapToWidth(text, width)
      for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }),
  )
})
