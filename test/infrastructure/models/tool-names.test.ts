import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolNames } from '../../../src/infrastructure/models/tool-names.ts'

describe('a name of a tool', () => {
  it('is one that every provider takes, and comes back as it was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 90 }), { minLength: 1 }), names => {
        const { toWire, fromWire } = toolNames(names)
        for (const name of names) expect(toWire(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(names.map(name => fromWire(toWire(name)))).toEqual(names)
      }),
    )
  })

  it('is told apart from one that would be written alike, and read where it was never offered', () => {
    const { toWire, fromWire } = toolNames(['builtin/read_file', 'builtin__read_file', 'give_up'])
    expect(toWire('builtin/read_file')).toBe('builtin__read_file')
    expect(fromWire('builtin__read_file')).toBe('builtin/read_file')
    expect(fromWire(toWire('builtin__read_file'))).toBe('builtin__read_file')
    expect(fromWire('give_up')).toBe('give_up')
    expect(fromWire('local__mine')).toBe('local/mine')
  })
})
