import { expect, test } from 'vitest'
import type { Dispatcher } from '../../src/a2a/server/dispatcher.ts'
import { scriptedBackend } from '../support/scripted-backend.ts'
import { dispatcherOver, type LogLine, typeLines } from '../support/wire-drivers.ts'

const HEALTH = '_cleveragents/health/check'

test.each<[what: string, frame: unknown, id: unknown, code: number, words: RegExp]>([
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: HEALTH }], null, -32600, /one by one/],
  ['an empty batch', [], null, -32600, /one by one/],
  ['a text', 'hello', null, -32600, /JSON object/],
  ['null', null, null, -32600, /JSON object/],
  ['a number', 7, null, -32600, /JSON object/],
  ['an empty object', {}, null, -32600, /jsonrpc.*method/],
  ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: HEALTH }, 1, -32600, /jsonrpc/],
  ['no version of JSON-RPC', { id: 'a', method: HEALTH }, 'a', -32600, /jsonrpc/],
  ['no method', { jsonrpc: '2.0', id: 1 }, 1, -32600, /method/],
  ['a blank method', { jsonrpc: '2.0', id: 1, method: ' ' }, 1, -32600, /method/],
  ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 5 }, 1, -32600, /method/],
  ['an id that is an object', { jsonrpc: '2.0', id: {}, method: HEALTH }, null, -32600, /id/],
  ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: HEALTH }, null, -32600, /id/],
  ['a method that is a number, without an id', { jsonrpc: '2.0', method: 1 }, null, -32600, /method/],
  ['params that are a list', { jsonrpc: '2.0', id: 1, method: HEALTH, params: [] }, 1, -32600, /params/],
  ['params that are null', { jsonrpc: '2.0', id: 1, method: HEALTH, params: null }, 1, -32600, /params/],
  [
    'the fields of earlier versions',
    { a2a_version: '1.0', request_id: 'r', operation: 'plan.status', data: {} },
    null,
    -32600,
    /"a2a_version" is now "jsonrpc", "request_id" is now "id", "operation" is now "method"/,
  ],
])('answers %s with an invalid request', async (_what, frame, id, code, words) => {
  const answer = await ask(dispatcherOver(scriptedBackend()), frame)

  expect(answer).toMatchObject({
    jsonrpc: '2.0',
    id,
    error: { code, data: { error_type: 'invalid_request' } },
  })
  expect(answer.error.message).toMatch(words)
})

test('names the nearest methods when one does not exist', async () => {
  const answer = await call('_cleveragents/plan/statsu')

  expect(answer.error).toMatchObject({
    code: -32601,
    message: expect.stringContaining('_cleveragents/plan/status'),
    data: {
      error_type: 'method_not_found',
      family: 'cleveragents',
      facts: {
        method: '_cleveragents/plan/statsu',
        nearest: expect.arrayContaining(['_cleveragents/plan/status']),
      },
    },
  })
})

test('does not compare a name that is longer than any', async () => {
  const answer = await call('x'.repeat(1_000_000))

  expect(answer.error).toMatchObject({ code: -32601, data: { facts: { nearest: [] } } })
  expect(answer.error.message.length).toBeLessThan(1_000)
})

test('says everything that is wrong with the params at once, with paths', async () => {
  const answer = await call('_cleveragents/plan/use', { args: 3, projects: [1], wait: 'yes' })

  expect(answer.error.code).toBe(-32602)
  expect(answer.error.data.facts.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
    'action_name',
    'args',
    'projects.0',
    'wait',
  ])
})

test('does not mind params it does not know', async () => {
  const answer = await call(HEALTH, { colour: 'blue' })

  expect(answer.result).toEqual({
    status: 'ok',
    checks: [{ name: 'store', status: 'ok', message: 'open', remedy: null }],
  })
})

test('answers what belongs to a later version with not available and a sentence', async () => {
  const answer = await call('_cleveragents/sync/pull')

  expect(answer.error).toMatchObject({ code: -32110, data: { error_type: 'not_available' } })
  expect(answer.error.message).toContain('not available yet')
})

test('keeps the stack of a bug in the log and out of the answer', async () => {
  const log: LogLine[] = []
  const answer = await call('_cleveragents/diagnostics/run', {}, log)

  expect(answer.error.code).toBe(-32603)
  expect(answer.error.message).toContain('the disk is on fire')
  expect(JSON.stringify(answer)).not.toContain('second line')
  expect(log[0]?.[1]['error']).toContain('scripted-backend.ts')
})

test('accepts an older method name, marks the answer and logs it', async () => {
  const log: LogLine[] = []
  const answer = await call('registry.list_tools', {}, log)

  const deprecated = { method: 'registry.list_tools', use: '_cleveragents/tool/list' }
  expect(answer.result).toEqual({ tools: [], deprecated })
  expect(log).toEqual([['a deprecated method name was used', deprecated]])
})

test('marks a refusal under an older name too', async () => {
  const answer = await call('plan.status', { plan_id: 'NOPE' })

  expect(answer.error).toMatchObject({
    code: -32001,
    data: { error_type: 'not_found', deprecated: { use: '_cleveragents/plan/status' } },
  })
})

test('never answers a notification, right or wrong', async () => {
  const dispatcher = dispatcherOver(scriptedBackend())

  for (const method of [HEALTH, 'no/such/method', 'message/send'])
    expect(await dispatch(dispatcher, { jsonrpc: '2.0', method })).toEqual({ kind: 'nothing' })
})

test('acts on a notification', async () => {
  const backend = scriptedBackend()
  const params = { action_name: 'builtin/replace-text' }
  await dispatch(dispatcherOver(backend), { jsonrpc: '2.0', method: '_cleveragents/plan/use', params })

  expect(backend.plans({ phase: null, state: null, project: null, limit: 9 })).toHaveLength(1)
})

test.each(['', '0.3', '0.3.7', '1.0', '1.0.0'])('speaks version "%s" with our methods', async version => {
  const metadata = { 'a2a-service-parameters': { 'a2a-version': version } }

  expect(await call(HEALTH, { metadata })).toHaveProperty('result.status', 'ok')
})

test('refuses a version that it does not speak and names those it does', async () => {
  const answer = await call(HEALTH, { metadata: { 'a2a-service-parameters': { 'A2A-Version': '2.0' } } })

  expect(answer.error).toMatchObject({
    code: -32007,
    data: { error_type: 'version_mismatch', facts: { version: '2.0', supported: ['1.0', '0.3'] } },
  })
})

test('agrees on a version and hands over the card', async () => {
  const answer = await call('_cleveragents/initialize', { protocolVersions: ['9.9', '1.0'] })

  expect(answer.result).toMatchObject({
    protocolVersion: '1.0',
    maxFrameBytes: 16777216,
    agentCard: { name: 'CleverAgents', capabilities: { streaming: true, pushNotifications: false } },
  })
})

test('refuses a second request with an id that is being worked on', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const subscribe = { jsonrpc: '2.0', id: 's', method: '_cleveragents/event/subscribe', params: {} }
  lines.write(`${JSON.stringify(subscribe)}\n`)
  expect(await lines.next()).toMatchObject({ id: 's', result: { seq: 0 } })

  lines.write(`${JSON.stringify({ jsonrpc: '2.0', id: 's', method: HEALTH })}\n`)

  expect(await lines.next()).toMatchObject({ id: 's', error: { code: -32600 } })
})

test('echoes ids of every kind unchanged', async () => {
  for (const id of ['a', '', 0, -3, null])
    expect(
      await ask(dispatcherOver(scriptedBackend()), { jsonrpc: '2.0', id, method: HEALTH }),
    ).toHaveProperty('id', id)
})

async function call(method: string, params: Record<string, unknown> = {}, log: LogLine[] = []) {
  return ask(dispatcherOver(scriptedBackend(), log), { jsonrpc: '2.0', id: 1, method, params })
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, whatever shape they have
async function ask(dispatcher: Dispatcher, frame: unknown): Promise<any> {
  const answer = await dispatch(dispatcher, frame)
  if (answer.kind !== 'response') throw new Error(`no response but ${answer.kind}`)
  return JSON.parse(JSON.stringify(answer.frame))
}

function dispatch(dispatcher: Dispatcher, frame: unknown) {
  const session = { id: 's', binding: 'stdio', version: '' } as const
  return dispatcher.dispatch(frame, { ...session }, new AbortController().signal)
}
