import { expect, test } from 'vitest'
import { readTextAnswer } from '../../src/a2a/server/standard/read-answer.ts'
import { readCommand } from '../../src/a2a/server/standard/read-command.ts'

const options = [
  { id: 'src', label: 'Only src', description: null, effect: 'approve' },
  { id: 'all', label: 'Everywhere', description: null, effect: 'approve' },
  { id: 'none', label: 'Stop', description: null, effect: 'reject' },
] as const
const gate = { options: [...options], confirm_word: null }

test.each([
  ['1', 'approve', 'src'],
  [' 2 ', 'approve', 'all'],
  ['ALL', 'approve', 'all'],
  ['only SRC', 'approve', 'src'],
  ['3', 'reject', 'none'],
  ['stop', 'reject', 'none'],
  ['approve', 'approve', null],
  ['Reject', 'reject', null],
])('"%s" is exactly an answer', (text, decision, optionId) => {
  expect(readTextAnswer(text, gate)).toEqual({ kind: 'answer', decision, optionId })
})

test.each([
  '',
  '0',
  '4',
  '1.',
  '#1',
  'yes',
  'ok',
  'approve!',
  'approved',
  'aprove',
  'evrywhere',
  'No',
  'LGTM',
])('"%s" is too close to an answer to be anything', text => {
  expect(readTextAnswer(text, gate).kind).toBe('unclear')
})

test.each([
  'approve the tests only',
  'yes but leave the docs alone',
  'use the other name',
  '1 and 2',
  'not 1',
])('"%s" is guidance, never an approval', text => {
  expect(readTextAnswer(text, gate)).toEqual({ kind: 'guidance', guidance: text })
})

test('what is confirmed by a word is approved by that word alone', () => {
  const guarded = { ...gate, confirm_word: 'DELETE' }

  expect(readTextAnswer('DELETE', guarded)).toMatchObject({ kind: 'answer', decision: 'approve' })
  for (const text of ['1', 'approve', 'all']) expect(readTextAnswer(text, guarded).kind).toBe('unclear')
  expect(readTextAnswer('delete', guarded).kind).not.toBe('answer')
  expect(readTextAnswer('reject', guarded)).toMatchObject({ decision: 'reject' })
})

test('a label that two options share names neither', () => {
  const twins = [options[0], { ...options[1], label: 'Only src' }]

  expect(readTextAnswer('only src', { options: twins, confirm_word: null }).kind).toBe('unclear')
})

test.each([
  ['help', { kind: 'help' }],
  ['LIST', { kind: 'list' }],
  ['use a/b', { kind: 'use', action: 'a/b', args: {} }],
  [
    'use a/b x=1 y="two words" z=\'a"b\' w=a=b',
    { kind: 'use', action: 'a/b', args: { x: '1', y: 'two words', z: 'a"b', w: 'a=b' } },
  ],
  ['use a/b p=a\\ b e=""', { kind: 'use', action: 'a/b', args: { p: 'a b', e: '' } }],
  ['please help me', { kind: 'unknown' }],
  ['', { kind: 'unknown' }],
])('the command %j is understood', (text, command) => {
  expect(readCommand(text)).toEqual(command)
})

test.each(['use', 'use a/b x', 'use a/b ="x', "use a/b x='y"])(
  'the command %j is said to be faulty',
  text => {
    expect(readCommand(text).kind).toBe('faulty')
  },
)
