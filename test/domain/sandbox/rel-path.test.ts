import { array, assert, constantFrom, oneof, property, string, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesOfRelPath,
  covers,
  parseRelPath,
  relPathFromBytes,
} from '../../../src/domain/sandbox/rel-path.ts'

describe('RelPath', () => {
  it('comes back as the same bytes and the same text, whatever the name on disk', () => {
    const odd = constantFrom(9, 10, 34, 92, 255, 0xc3, 0xa9, 32, 0x7f)
    const name = oneof(
      uint8Array({ minLength: 1, maxLength: 12 }),
      array(odd, { minLength: 1 }).map(bytes => Uint8Array.from(bytes)),
      string({ unit: 'grapheme', minLength: 1 }).map(text => new TextEncoder().encode(text)),
    )
    assert(
      property(name, bytes => {
        const path = relPathFromBytes(bytes)
        if (!path.ok) return
        expect(Buffer.from(bytesOfRelPath(path.value))).toEqual(Buffer.from(bytes))
        expect(parseRelPath(path.value)).toEqual(path)
      }),
      { numRuns: 2000 },
    )
  })

  it('never gives two names the same text', () => {
    assert(
      property(uint8Array({ minLength: 1 }), uint8Array({ minLength: 1 }), (a, b) => {
        const [first, second] = [relPathFromBytes(a), relPathFromBytes(b)]
        if (!first.ok || !second.ok) return
        expect(first.value === second.value).toBe(Buffer.from(a).equals(b))
      }),
    )
  })

  it.each([
    ['a/b.ts', 'a/b.ts'],
    ['größe 😀.txt', 'größe 😀.txt'],
    ['a\tb', '"a\\tb"'],
    ['"a\\377"', '"a\\377"'],
    ['a\\b', '"a\\\\b"'],
    ['"plain"', 'plain'],
    ['"t\\tb 😀"', '"t\\tb \\360\\237\\230\\200"'],
    ['a\u202eb', '"a\\342\\200\\256b"'],
    ['-rf', '-rf'],
    ['.gitignore', '.gitignore'],
  ])('reads %j as %j', (text, form) => {
    expect(parseRelPath(text)).toEqual({ ok: true, value: form })
  })

  it.each([
    ...[
      '',
      '/a',
      'a/../b',
      '..',
      'a//b',
      './a',
      'a/',
      '.',
      'a\0b',
      '.git/config',
      'sub/.GIT',
      '"\\056\\056/a"',
    ],
    ...['"a', '"', '"a"b"', '"\\x"', '"\\"', '"\\8"', '"\\12"', '\ud800'],
  ])('refuses %j', text => {
    expect(parseRelPath(text)).toMatchObject({ ok: false, failure: { code: 'invalid_input' } })
  })
})

describe('a path covers itself and what lies below it, however either is quoted', () => {
  it.each([
    ['src', 'src', true],
    ['src', 'src/a.ts', true],
    ['src', 'src-old/a.ts', false],
    ['src/a.ts', 'src', false],
    ['src', '"src/t\\tb"', true],
    ['"t\\tb"', '"t\\tb/a"', true],
    ['"t\\tb"', '"t\\tbc"', false],
  ])('%j and %j: %j', (whole, path, expected) => {
    expect(covers(relPath(whole), relPath(path))).toBe(expected)
  })
})

function relPath(text: string) {
  const parsed = parseRelPath(text)
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value
}
