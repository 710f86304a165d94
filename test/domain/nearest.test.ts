import { describe, expect, it } from 'vitest'
import { nearest, noneNamed, suggest } from '../../src/domain/nearest.ts'

const tools = ['builtin/read_file', 'builtin/replace_text', 'builtin/search_text', 'builtin/codemod']

describe('nearest names', () => {
  it.each([
    ['builtin/serch_text', ['builtin/search_text']],
    ['search_text', ['builtin/search_text']],
    ['BUILTIN/CODEMOD', ['builtin/codemod']],
    ['builtin/codemdo', ['builtin/codemod']],
    ['wholly different', []],
  ])('finds for %s: %j', (name, expected) => {
    expect(nearest(name, tools)).toEqual(expected)
  })

  it('says of an empty name that it is empty', () => {
    expect(noneNamed('tool', ' ', ['edit', 'read'])).toBe('The name of the tool is empty. Known: edit, read.')
    expect(noneNamed('tool', '', [])).toBe('The name of the tool is empty. There are none.')
    expect(noneNamed('tool', 'c', ['d'])).toBe('There is no tool c. Did you mean d?')
  })

  it('orders equally near names alphabetically and stops at the limit', () => {
    expect(nearest('ax', ['az', 'ay', 'aw', 'av'])).toEqual(['av', 'aw', 'ay'])
  })

  it('suggests the near ones, else lists the few there are, else counts them', () => {
    expect(suggest('glbo', ['glob', 'find'])).toBe('Did you mean glob?')
    expect(suggest('ab', ['ax', 'az'])).toBe('Did you mean ax or az?')
    expect(suggest('zzzzzz', ['find', 'glob'])).toBe('Known: find, glob.')
    expect(suggest('zzzzzz', [])).toBe('There are none.')
    expect(
      suggest(
        'zzzzzz',
        Array.from({ length: 20 }, (_, index) => `name-${index}`),
      ),
    ).toBe('20 are known, none is similar.')
  })
})
