import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { asData, withHiddenShown } from '../../../src/domain/model/untrusted.ts'

describe('text that nobody vouches for', () => {
  it.each([
    ['plain\ttext\r\n', 'plain\ttext\r\n'],
    ['if (a) {\u202e } \u2066// ok', 'if (a) {<U+202E> } <U+2066>// ok'],
    ['zero\u200bwidth', 'zero<U+200B>width'],
    ['esc \u001b[2J', 'esc <U+001B>[2J'],
    ['tags \u{e0041}\u{e0042}', 'tags <U+E0041><U+E0042>'],
    ['half \ud800 pair', 'half \ufffd pair'],
    ['family 👨‍👩‍👧 and ❤️ stay', 'family 👨‍👩‍👧 and ❤️ stay'],
    ['joined\u200dwords', 'joined<U+200D>words'],
    ['日本語 عربى עברית', '日本語 عربى עברית'],
  ])('%j is read as %j', (text, shown) => {
    expect(withHiddenShown(text)).toBe(shown)
  })
})

test('data cannot close its own marks, whatever is in it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('~', '~~~~', '\n', ' end of data', 'x')), pieces => {
      const text = pieces.join('')
      const lines = asData('file a', text).split('\n')
      const fence = lines[0]?.split(' ')[0] ?? ''
      const closing = lines.filter(line => line.startsWith(fence))
      expect(closing).toHaveLength(2)
      expect(lines.at(-1)).toBe(`${fence} end of data`)
    }),
    { seed: 1 },
  )
})

test('a source cannot begin a line of its own', () => {
  expect(asData('file a\nb', 'x')).toBe('~~~~ data: file a b\nx\n~~~~ end of data')
})
