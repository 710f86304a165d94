import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitize, sanitizeLines } from '../../src/text/sanitize.ts'

const corpus: [what: string, input: string, output: string][] = [
  ['plain text', 'rm -rf build', 'rm -rf build'],
  ['letters of other scripts', 'größer 你好 привет', 'größer 你好 привет'],
  ['a colour', '\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
  ['concealed text', 'a\u001b[8mb', 'a␛[8mb'],
  ['a cursor move', '\u001b[2J\u001b[H', '␛[2J␛[H'],
  ['a private mode', '\u001b[?1049l', '␛[?1049l'],
  ['a reset of the terminal', '\u001bc', '␛c'],
  ['a title', '\u001b]0;owned\u0007', '␛]0;owned␇'],
  ['a clipboard write', '\u001b]52;c;cm0=\u001b\\', '␛]52;c;cm0=␛\\'],
  ['a hyperlink', '\u001b]8;;javascript:x\u0007go\u001b]8;;\u0007', '␛]8;;javascript:x␇go␛]8;;␇'],
  ['an unterminated title', '\u001b]0;rest', '␛]0;rest'],
  ['a device string', '\u001bPq#0\u001b\\', '␛Pq#0␛\\'],
  ['a tmux passthrough', '\u001bPtmux;\u001b\u001b]52;c;eA==\u0007\u001b\\', '␛Ptmux;␛␛]52;c;eA==␇␛\\'],
  ['an eight-bit introducer', '\u009b31m', '⟨9b⟩31m'],
  ['an eight-bit title', '\u009d0;x\u009c', '⟨9d⟩0;x⟨9c⟩'],
  ['backspaces over a path', 'rm /tmp/x\b\b\bok', 'rm /tmp/x␈␈␈ok'],
  ['a return to the line start', 'danger\rsafe  ', 'danger␍safe  '],
  ['a line end left inside', 'one\ntwo', 'one␊two'],
  ['bell, null and delete', '\u0007\u0000\u007f', '␇␀␡'],
  ['shift out and in', '\u000e\u000f', '␎␏'],
  ['a direction override', 'user\u202etxt.exe', 'user⟨U+202E⟩txt.exe'],
  ['isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
  ['zero-width characters', 'a\u200bb\u200cc\u200dd\ufeffe', 'a·b·c·d·e'],
  ['a soft hyphen and a joiner', 'a\u00adb\u034fc', 'a·b·c'],
  ['tag characters', 'a\u{e0061}\u{e0062}b', 'a··b'],
  ['variation selectors', 'x\ufe0fy', 'x·y'],
  ['line and paragraph separators', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['many combining marks', `e${'\u0301'.repeat(40)}x`, `e${'\u0301'.repeat(3)}x`],
  ['tabs', 'a\tbc\td', 'a   bc  d'],
]

test.each(corpus)('%s is drawn in a form that can be seen', (_what, input, output) => {
  expect(sanitize(input)).toBe(output)
})

test('no control, direction change or hidden character survives, whatever comes in', () => {
  const hostile = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      const clean = sanitize(text)
      expect(clean).not.toMatch(hostile)
      expect(clean.isWellFormed()).toBe(true)
    }),
  )
})

test('sanitising twice changes nothing more', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => sanitize(sanitize(text)) === sanitize(text)))
})

test('text of several lines is split before it is made safe', () => {
  expect(sanitizeLines('a\r\nb\rc\n')).toEqual(['a', 'b␍c', ''])
})
