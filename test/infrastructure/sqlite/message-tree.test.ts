import { expect, test } from 'vitest'
import type { Message } from '../../../src/domain/model/message.ts'
import { temporaryStore } from '../../support/store.ts'

const hello: Message = { role: 'user', text: 'hello' }
const answer: Message = {
  role: 'assistant',
  parts: [
    { kind: 'text', text: 'hi ‮', opaque: null },
    {
      kind: 'tool_call',
      callId: 'c1',
      tool: 'builtin/read_file',
      input: '{"path":',
      opaque: { signature: 'x' },
    },
  ],
  isCut: true,
}
const result: Message = {
  role: 'tool',
  results: [{ callId: 'c1', tool: 'builtin/read_file', text: 'no such file', isError: true }],
}

test('messages branch where something else is said, and each branch is read from the first to its head', async () => {
  const { messages } = await temporaryStore()
  const first = messages.append('plan-1', null, [hello])
  const one = messages.append('plan-1', first, [answer, result])
  const other = messages.append('plan-1', first, [{ role: 'user', text: 'something else' }])

  if (one === null || other === null) throw new Error('nothing was appended')
  expect(messages.path(one)).toEqual([hello, answer, result])
  expect(messages.path(other)).toEqual([hello, { role: 'user', text: 'something else' }])
})

test('what is said again in the same place is the same message, and in another thread another one', async () => {
  const { messages } = await temporaryStore()
  expect(messages.append('plan-1', null, [hello, answer])).toBe(
    messages.append('plan-1', null, [hello, answer]),
  )
  expect(messages.append('plan-1', null, [hello])).not.toBe(messages.append('plan-2', null, [hello]))
})

test('removing a thread leaves the others', async () => {
  const { messages } = await temporaryStore()
  const gone = messages.append('plan-1', null, [hello])
  const kept = messages.append('plan-2', null, [hello])
  messages.removeThread('plan-1')

  if (gone === null || kept === null) throw new Error('nothing was appended')
  expect(messages.path(kept)).toEqual([hello])
  expect(() => messages.path(gone)).toThrow('is missing')
})
