import { AgentCard, type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk'
import { JsonRpcTransportFactory, type Transport } from '@a2a-js/sdk/client'
import { LegacyJsonRpcTransport } from '@a2a-js/sdk/compat/v0_3/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBackendProcess } from '../../src/a2a/client/backend-process.ts'
import { fetchOver } from '../support/fetch-over-transport.ts'

/** The SDK's own clients of both generations, over the standard streams of a child process. */
const generations: [name: string, create: (fetchImpl: typeof fetch) => Transport | Promise<Transport>][] = [
  ['1.0', fetchImpl => new JsonRpcTransportFactory({ fetchImpl }).create('http://pipe/', card)],
  ['0.3', fetchImpl => new LegacyJsonRpcTransport({ endpoint: 'http://pipe/', fetchImpl })],
]

const card = AgentCard.fromJSON({
  name: 'x',
  supportedInterfaces: [{ url: 'http://pipe/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
})

describe.each(generations)('the stock client of %s', (generation, create) => {
  const backend = startBackendProcess({ argv: [process.execPath, 'test/support/serve-fixture.ts'] })
  let client: Transport
  beforeAll(async () => {
    client = await create(fetchOver(backend))
  })
  afterAll(() => backend.close())

  test('streams a plan to its gate, with the question in words and as data', async () => {
    const frames = await all(client.sendMessageStream(sending(USE)))

    expect(frames[0]?.payload?.$case).toBe('task')
    expect(statesOf(frames)).toEqual([
      TaskState.TASK_STATE_SUBMITTED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_INPUT_REQUIRED,
    ])
    const message = lastStatus(frames)?.message
    expect(textOf(message)).toContain('1. Start execute')
    expect(dataOf(message)).toMatchObject({
      type: 'cleveragents.gate',
      options: [{ id: 'go' }, { id: 'stop' }],
    })
  })

  test('approves both gates by text and sees the task completed', async () => {
    const task = await started()

    const executed = await all(client.sendMessageStream(sending('1', task)))
    const applied = await all(client.sendMessageStream(sending('start APPLY', task)))

    expect(statesOf(executed).at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(statesOf(applied).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED)
    expect((await get(task.id)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
  })

  test('answers a gate with a data part, once', async () => {
    const task = await started()
    const gate = dataOf((await get(task.id)).status?.message)
    const answer = { gate_id: gate['gate_id'], digest: gate['digest'], decision: 'approve' }

    await client.sendMessage(sending(answer, task))

    await expect(client.sendMessage(sending(answer, task))).rejects.toThrow(/decided already/)
  })

  test.each(['yes', 'aprove', '7', 'Approve!', ''])(
    'does not take "%s" for an approval and asks again',
    async text => {
      const task = await started()

      const answered = await sent(sending(text === '' ? ' ' : text, task))

      expect(answered.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
      expect(textOf(answered.status?.message)).toMatch(/nothing was decided[\s\S]*1\. Start execute/)
      expect(dataOf(answered.status?.message)['gate_id']).toBe(
        dataOf((await get(task.id)).status?.message)['gate_id'],
      )
    },
  )

  test('takes other words as guidance: another proposal, another gate', async () => {
    const task = await started()
    const before = dataOf((await get(task.id)).status?.message)

    await client.sendMessage(sending('leave the tests alone please', task))

    const after = await get(task.id)
    expect(after.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(dataOf(after.status?.message)['gate_id']).not.toBe(before['gate_id'])
  })

  test('rejecting by word stops the plan where it is', async () => {
    const task = await started()

    const answered = await sent(sending('reject', task))

    expect(answered.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(textOf(answered.status?.message)).toContain('Paused')
  })

  test('of two answers at once exactly one takes effect', async () => {
    const task = await started()
    const gate = dataOf((await get(task.id)).status?.message)
    const answer = { gate_id: gate['gate_id'], digest: gate['digest'] }

    const both = await Promise.allSettled([
      client.sendMessage(sending({ ...answer, decision: 'approve' }, task)),
      client.sendMessage(sending({ ...answer, decision: 'reject' }, task)),
    ])

    expect(both.map(each => each.status)).toEqual(['fulfilled', 'rejected'])
  })

  test('a plain hello opens a conversation that explains itself and goes on', async () => {
    const hello = await sent(sending('hello'))
    expect(hello.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(textOf(hello.status?.message)).toContain('use ACTION key=value')

    const listed = await sent(sending('list', hello))

    expect(listed.id).toBe(hello.id)
    expect(textOf(listed.status?.message)).toContain('builtin/replace-text')
    expect(listed.history.map(each => each.role)).toEqual([
      Role.ROLE_USER,
      Role.ROLE_AGENT,
      Role.ROLE_USER,
      Role.ROLE_AGENT,
    ])
  })

  test('a data part starts a plan as well', async () => {
    const frames = await all(
      client.sendMessageStream(sending({ action: 'builtin/replace-text', args: { find: 'a' } })),
    )

    expect(statesOf(frames).at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
  })

  test('an action that does not exist is said in words with the nearest names', async () => {
    const answered = await sent(sending('use builtin/replace-txt'))

    expect(answered.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(textOf(answered.status?.message)).toContain('Did you mean builtin/replace-text?')
    expect(dataOf(answered.status?.message)).toMatchObject({ error_type: 'not_found' })
  })

  test('the same message twice is taken once', async () => {
    const message = sending(USE)

    const tasks = [await sent(message), await sent(message)]

    expect(tasks[0]?.id).toBe(tasks[1]?.id)
  })

  test('cancels once; a second time is what its generation says', async () => {
    const task = await started()
    const request = { tenant: '', id: task.id, metadata: undefined }

    expect((await client.cancelTask(request)).status?.state).toBe(TaskState.TASK_STATE_CANCELED)

    const second = client.cancelTask(request)
    if (generation === '1.0') expect((await second).status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    else await expect(second).rejects.toMatchObject({ name: 'TaskNotCancelableError' })
  })

  test('joins a waiting task again and gets its question', async () => {
    const task = await started()

    const frames = await all(client.resubscribeTask({ tenant: '', id: task.id }))

    expect(frames).toHaveLength(1)
    expect(statesOf(frames)).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED])
  })

  test('a task that has ended takes no message', async () => {
    const task = await started()
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })

    await expect(client.sendMessage(sending('hello', task))).rejects.toThrow(/has ended/)
  })

  test('refuses what it does not do with the errors of the protocol', async () => {
    await expect(get('nothing')).rejects.toMatchObject({ name: 'TaskNotFoundError' })
    await expect(client.getExtendedAgentCard({ tenant: '' })).rejects.toMatchObject({
      name: 'ExtendedAgentCardNotConfiguredError',
    })
    const push = { tenant: '', taskId: 'x', id: 'y' }
    await expect(client.getTaskPushNotificationConfig(push)).rejects.toMatchObject({
      name: 'PushNotificationNotSupportedError',
    })
    const empty = sending('x')
    await expect(
      client.sendMessage({ ...empty, message: { ...messageOf(empty), parts: [] } }),
    ).rejects.toThrow(/at least one part/)
  })

  async function started(): Promise<Task> {
    const frames = await all(client.sendMessageStream(sending(USE)))
    const first = frames[0]?.payload
    if (first?.$case !== 'task') throw new Error('the stream does not begin with a task')
    return first.value
  }

  async function sent(request: ReturnType<typeof sending>): Promise<Task> {
    const result = await client.sendMessage(request)
    if (!('status' in result)) throw new Error('a message, not a task')
    return result
  }

  function get(id: string): Promise<Task> {
    return client.getTask({ tenant: '', id })
  }
})

const USE = 'use builtin/replace-text find=colour replace="bright color"'

function sending(content: string | object, task?: Task) {
  const value = { metadata: undefined, filename: '', mediaType: '' }
  const part =
    typeof content === 'string'
      ? { ...value, content: { $case: 'text' as const, value: content } }
      : { ...value, content: { $case: 'data' as const, value: content } }
  const message: Message = {
    messageId: crypto.randomUUID(),
    role: Role.ROLE_USER,
    parts: [part],
    taskId: task?.id ?? '',
    contextId: task?.contextId ?? '',
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
  return { tenant: '', message, configuration: undefined, metadata: undefined }
}

function messageOf({ message }: ReturnType<typeof sending>): Message {
  return message
}

async function all(stream: AsyncGenerator<StreamResponse>): Promise<StreamResponse[]> {
  const frames: StreamResponse[] = []
  for await (const frame of stream) frames.push(frame)
  return frames
}

function statusOf({ payload }: StreamResponse) {
  return payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status : undefined
}

function statesOf(frames: readonly StreamResponse[]) {
  return frames.flatMap(frame => statusOf(frame)?.state ?? [])
}

function lastStatus(frames: readonly StreamResponse[]) {
  return frames.map(statusOf).findLast(status => status !== undefined)
}

function textOf(message: Message | undefined): string {
  return (message?.parts ?? [])
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join('\n')
}

function dataOf(message: Message | undefined): Record<string, unknown> {
  return (
    (message?.parts ?? []).flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))[0] ??
    {}
  )
}
