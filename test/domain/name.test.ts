import { describe, expect, it } from 'vitest'
import { parseName } from '../../src/domain/name.ts'

describe('a namespaced name', () => {
  it.each([
    ['rename', 'local/rename'],
    ['local/rename', 'local/rename'],
    ['acme/tools.v2', 'acme/tools.v2'],
    ['hub:acme/rename', 'hub:acme/rename'],
  ])('%s means %s', (text, name) => {
    expect(parseName(text, 'an action')).toEqual({ ok: true, value: name })
  })

  it.each(['', ' ', 'a/b/c', 'hub:rename', '/x', 'x/', '../x', 'a b'])('refuses %j', text => {
    const parsed = parseName(text, 'an action')
    expect(parsed.ok ? null : parsed.failure.code).toBe('invalid_input')
  })
})
