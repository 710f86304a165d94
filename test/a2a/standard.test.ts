import { expect, test } from 'vitest'
import type { Backend } from '../../src/application/backend.ts'
import { scriptedBackend } from '../support/scripted-backend.ts'
import { dispatcherOver, type Lines, typeLines } from '../support/wire-drivers.ts'

test('a text typed before a question was shown does not answer it', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const taskId = await startPlan(lines)

  // Both in one piece: the second was written before the question that follows the first could be seen.
  lines.write(said(2, '1', taskId) + said(3, '1', taskId))

  const answers = [await lines.next(), await lines.next()]
  const byId = Object.fromEntries(answers.map(each => [String(each['id']), each]))
  expect(byId['2']).toHaveProperty('result.id', taskId)
  expect(byId['3']).toMatchObject({
    error: { code: -32004, data: { error_type: 'invalid_state', family: 'a2a' } },
  })
})

test('what was not shown since the start is shown before a text can answer it', async () => {
  const backend = scriptedBackend()
  const taskId = await startPlan(typeLines(dispatcherOver(backend)))
  const afterRestart = typeLines(dispatcherOver(backend))

  afterRestart.write(said(2, '1', taskId))
  const shown = await afterRestart.next()
  afterRestart.write(said(3, '1', taskId))
  const answered = await afterRestart.next()

  expect(JSON.stringify(shown)).toMatch(/nothing was decided.*1\. Start execute/)
  expect(shown).toHaveProperty('result.status.state', 'input-required')
  expect(answered).toHaveProperty('result.status.state', 'working')
})

test('a message in 0.3 does not wait unless asked to', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const configured = (id: number, configuration?: object) =>
    frame(id, 'message/send', { ...message(USE), ...(configuration ? { configuration } : {}) })

  const states: unknown[] = []
  for (const line of [configured(1), configured(2, {}), configured(3, { blocking: true })]) {
    lines.write(line)
    states.push(((await lines.next()) as { result: { status: { state: string } } }).result.status.state)
  }

  expect(states).toEqual(['submitted', 'submitted', 'input-required'])
})

test('the last frame of a stream in 0.3 says that it is the last, also where it asks', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  lines.write(frame(1, 'message/stream', message(USE)))

  const frames = await untilEnd(lines)

  const updates = frames
    .map(each => each['result'] as Record<string, unknown>)
    .filter(each => each['kind'] === 'status-update')
  expect(updates.map(each => each['final'])).toEqual([false, true])
})

test('a task that has ended is shown once to a 0.3 client and refused to a 1.0 client', async () => {
  const backend = scriptedBackend()
  const lines = typeLines(dispatcherOver(backend))
  const taskId = await startPlan(lines)
  await cancelled(backend, taskId)

  lines.write(frame(2, 'tasks/subscribe', { id: taskId }))
  const old = await untilEnd(lines)
  lines.write(frame(3, 'SubscribeToTask', { id: taskId }))
  const current = await lines.next()

  expect(old).toMatchObject([{ id: 2, result: { kind: 'task', status: { state: 'canceled' } } }])
  expect(current).toMatchObject({
    id: 3,
    error: {
      code: -32004,
      data: [{ reason: 'UNSUPPORTED_OPERATION', metadata: { error_type: 'invalid_state' } }],
    },
  })
})

test.each([
  ['message/send', { message: { kind: 'message', role: 'user', messageId: 'm', parts: [] } }, -32602],
  [
    'message/send',
    { message: { kind: 'message', role: 'agent', messageId: 'm', parts: [{ kind: 'text', text: 'x' }] } },
    -32602,
  ],
  ['message/send', { message: 'x' }, -32602],
  ['message/send', {}, -32602],
  [
    'message/send',
    { message: { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'odd' }] } },
    -32602,
  ],
  [
    'message/send',
    {
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm',
        parts: [{ kind: 'file', file: { uri: 'file:///etc/passwd' } }],
      },
    },
    -32005,
  ],
  ['tasks/get', { id: 'x', historyLength: -1 }, -32602],
  ['tasks/get', {}, -32602],
  ['tasks/get', { id: 'x' }, -32001],
  ['tasks/cancel', { id: 'x' }, -32001],
  ['tasks/resubscribe', { id: 'x' }, -32001],
  [
    'pushNotificationConfig/set',
    { taskId: 'x', pushNotificationConfig: { url: 'http://127.0.0.1/' } },
    -32003,
  ],
  ['tasks/pushNotificationConfig/list', { id: 'x' }, -32003],
  ['getExtendedAgentCard', {}, -32007],
  ['tasks/get', { id: 'x', metadata: { 'a2a-service-parameters': { 'A2A-Version': '4.2' } } }, -32009],
])('%s with %j is refused with %i, in data too', async (method, params, code) => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))

  lines.write(frame(1, method, params))

  expect(await lines.next()).toMatchObject({
    id: 1,
    error: { code, data: { family: 'a2a', error_type: expect.any(String) } },
  })
})

test('a guide client may name the task as the context and leave the message id out', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const taskId = await startPlan(lines)
  const bare = {
    kind: 'message',
    role: 'user',
    contextId: taskId,
    parts: [{ kind: 'text', text: 'approve' }],
  }

  lines.write(frame(2, 'message/send', { message: bare }))

  expect(await lines.next()).toMatchObject({ id: 2, result: { id: taskId, status: { state: 'working' } } })
})

test('lists plans and conversations in both generations, page by page', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const taskId = await startPlan(lines)
  lines.write(frame(2, 'message/send', message('hello')))
  const { id } = ((await lines.next()) as { result: { id: string } }).result

  lines.write(frame(3, 'tasks/list', { pageSize: 1 }))
  const first = ((await lines.next()) as { result: { nextPageToken: string; tasks: { id: string }[] } })
    .result
  lines.write(frame(4, 'ListTasks', { pageSize: 1, pageToken: first.nextPageToken }))
  const second = ((await lines.next()) as { result: { nextPageToken?: string; tasks: { id: string }[] } })
    .result

  expect([first, second].map(page => page.tasks.map(task => task.id))).toEqual([[id], [taskId]])
  expect(second.nextPageToken ?? '').toBe('')
})

const USE = 'use builtin/replace-text find=a replace=b'

function frame(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}

function message(text: string, taskId?: string) {
  const parts = [{ kind: 'text', text }]
  const messageId = crypto.randomUUID()
  return { message: { kind: 'message', role: 'user', messageId, parts, ...(taskId ? { taskId } : {}) } }
}

function said(id: number, text: string, taskId: string): string {
  return frame(id, 'message/send', message(text, taskId))
}

/** Starts a plan, waits for its first question, and returns its task's id. */
async function startPlan(lines: Lines): Promise<string> {
  lines.write(frame(1, 'message/stream', message(USE)))
  const [first] = await untilEnd(lines)
  return (first as { result: { id: string } }).result.id
}

async function untilEnd(lines: Lines): Promise<Record<string, unknown>[]> {
  const frames: Record<string, unknown>[] = []
  for (;;) {
    const next = await lines.next()
    if (next['method'] === '$/streamEnd') return frames
    frames.push(next)
  }
}

async function cancelled(backend: Backend, planRef: string): Promise<void> {
  await backend.cancel(planRef, null)
}
