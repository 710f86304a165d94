import { describe, expect, it, test } from 'vitest'
import { callSignature, isRepetition, resultSignature } from '../../../src/domain/guardrails/repetition.ts'

const tool = {
  name: 'builtin/run_command',
  inputSchema: { properties: { command: {}, cwd: {}, description: {} } },
}

describe('two calls are the same', () => {
  test.each([
    ['whatever the order of their arguments', { command: 'a', cwd: 'b' }, { cwd: 'b', command: 'a' }, true],
    [
      'whatever they are called',
      { command: 'a', description: 'x' },
      { command: 'a', description: 'y' },
      true,
    ],
    ['with arguments that the tool does not know', { command: 'a', extra: 1 }, { command: 'a' }, true],
    ['however white space is set', { command: ' a  b\n' }, { command: 'a b' }, true],
    ['not with another argument', { command: 'a' }, { command: 'b' }, false],
    ['not where one has an argument more', { command: 'a' }, { command: 'a', cwd: 'b' }, false],
  ])('%s', (_title, one, other, same) => {
    expect(callSignature(tool, one) === callSignature(tool, other)).toBe(same)
  })

  it('only with the same tool', () => {
    expect(callSignature(tool, {})).not.toBe(callSignature({ ...tool, name: 'other' }, {}))
  })
})

test('results are equal by what they hold', () => {
  expect(resultSignature({ a: 1, b: ['x '] })).toBe(resultSignature({ b: ['x'], a: 1 }))
  expect(resultSignature({ a: 1 })).not.toBe(resultSignature({ a: 2 }))
})

test('it is asked after so many equal calls, and again after as many more', () => {
  const asked = [0, 1, 4, 5, 6, 9, 10].filter(equal => isRepetition(equal, 5))
  expect(asked).toEqual([5, 10])
  expect(isRepetition(100, 0)).toBe(false)
})
