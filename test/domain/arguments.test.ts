import { describe, expect, it } from 'vitest'
import type { ActionArgument, ArgumentType } from '../../src/domain/action.ts'
import { bindArguments, typedValue } from '../../src/domain/arguments.ts'

function define(type: ArgumentType, more: Partial<ActionArgument> = {}): ActionArgument {
  return { name: 'x', type, required: false, default: null, description: '', values: [], ...more }
}

describe('a typed value', () => {
  it.each<[ArgumentType, unknown, unknown]>([
    ['string', 'a = b, c', 'a = b, c'],
    ['string', '', ''],
    ['integer', '-12', -12],
    ['integer', 7, 7],
    ['number', '1.5e3', 1500],
    ['boolean', 'True', true],
    ['boolean', 'no', false],
    ['boolean', false, false],
    ['list', 'a, b,c', ['a', 'b', 'c']],
    ['list', ['a,b', 'c'], ['a,b', 'c']],
    ['list', '', []],
    ['path', './src/lib/', 'src/lib'],
    ['path', '"a\\tb"', '"a\\tb"'],
  ])('%s reads %j as %j', (type, raw, value) => {
    expect(typedValue(define(type), raw)).toEqual({ ok: true, value })
  })

  it.each<[ArgumentType, unknown, string]>([
    ['string', 5, 'Argument x needs a text, not 5.'],
    ['integer', '1.5', 'Argument x needs a whole number, not "1.5".'],
    ['integer', '99999999999999999999', 'Argument x needs a whole number, not "99999999999999999999".'],
    ['number', 'many', 'Argument x needs a number, not "many".'],
    ['number', '', 'Argument x needs a number, not "".'],
    ['boolean', '2', 'Argument x needs true or false, not "2".'],
    ['list', [1], 'Argument x needs a list of texts (a,b,c), not [1].'],
    ['path', '../up', 'Argument x needs a path inside the project, relative to its root, not "../up".'],
    ['path', '/etc', 'Argument x needs a path inside the project, relative to its root, not "/etc".'],
    [
      'path',
      '.git/config',
      'Argument x needs a path inside the project, relative to its root, not ".git/config".',
    ],
  ])('%s refuses %j with what it needs', (type, raw, message) => {
    const value = typedValue(define(type), raw)
    expect(value.ok ? null : value.failure.message).toBe(message)
  })
})

const definitions: readonly ActionArgument[] = [
  define('string', { name: 'find', required: true, description: 'what to look for' }),
  define('boolean', { name: 'regex', default: false }),
  define('list', { name: 'only' }),
  define('enum', { name: 'scope', values: ['src', 'all'], default: 'src' }),
]

describe('binding arguments', () => {
  it('types texts, keeps everything after the first equals sign, and fills in defaults', () => {
    expect(bindArguments(definitions, { kind: 'texts', texts: ['find=a=b', 'only=x', 'only=y,z'] })).toEqual({
      ok: true,
      value: { find: 'a=b', regex: false, only: ['x', 'y', 'z'], scope: 'src' },
    })
  })

  it('takes JSON values, where null means not given', () => {
    expect(
      bindArguments(definitions, { kind: 'values', values: { find: 'a', only: null, regex: true } }),
    ).toEqual({ ok: true, value: { find: 'a', regex: true, only: null, scope: 'src' } })
  })

  it('names everything that is wrong at once', () => {
    const texts = ['fnid=a', 'regex=2', 'regex', 'scope=src', 'scope=all']
    const bound = bindArguments(definitions, { kind: 'texts', texts })
    expect(bound.ok ? null : bound.failure).toEqual({
      code: 'invalid_input',
      message: [
        'Argument regex has no value; write regex=VALUE.',
        'There is no argument fnid. Did you mean find?',
        'Argument find (what to look for) is required; give find=STRING.',
        'Argument regex needs true or false, not "2".',
        'Argument scope is given 2 times but takes one value.',
      ].join('\n'),
      facts: {
        errors: [
          { argument: 'regex', message: 'Argument regex has no value; write regex=VALUE.' },
          { argument: 'fnid', message: 'There is no argument fnid. Did you mean find?' },
          { argument: 'find', message: 'Argument find (what to look for) is required; give find=STRING.' },
          { argument: 'regex', message: 'Argument regex needs true or false, not "2".' },
          { argument: 'scope', message: 'Argument scope is given 2 times but takes one value.' },
        ],
      },
    })
  })

  it('keeps a prototype-like name an unknown name', () => {
    const bound = bindArguments(definitions, { kind: 'texts', texts: ['find=a', '__proto__=x'] })
    expect(bound.ok ? null : bound.failure.message).toMatch(/^There is no argument __proto__\./)
  })
})
