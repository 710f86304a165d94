import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { checkingReader } from '../../src/a2a/client/checking-reader.ts'
import { createClient } from '../../src/a2a/client/client.ts'
import type { Transport, TransportListener } from '../../src/a2a/client/transport.ts'
import { openConnection } from '../../src/a2a/server/connection.ts'
import { serveStdio } from '../../src/a2a/server/stdio.ts'
import { scriptedBackend } from '../support/scripted-backend.ts'
import { dispatcherOver, typeLines } from '../support/wire-drivers.ts'

const HEALTH = line(1, '_cleveragents/health/check')

test.each(['{', 'hello', '{"jsonrpc":"2.0","id":1', '\u0000', "{'id':1}"])(
  'answers %j, which is no JSON, with a parse error and goes on',
  async text => {
    const lines = typeLines(dispatcherOver(scriptedBackend()))

    lines.write(`${text}\n${HEALTH}`)

    expect(await lines.next()).toMatchObject({
      id: null,
      error: { code: -32700, data: { error_type: 'parse_error' } },
    })
    expect(await lines.next()).toMatchObject({ id: 1, result: { status: 'ok' } })
  },
)

test('skips a line of 20 MB, answers it once, and goes on', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const piece = Buffer.alloc(1024 * 1024, 'x')

  for (let sent = 0; sent < 20; sent++) lines.write(piece)
  lines.write(`\n${HEALTH}`)

  expect(await lines.next()).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining('16777216') },
  })
  expect(await lines.next()).toMatchObject({ id: 1, result: { status: 'ok' } })
})

test('takes a line of just under 16 MiB', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const empty = line(1, '_cleveragents/health/check', { pad: '' })

  lines.write(line(1, '_cleveragents/health/check', { pad: 'x'.repeat(16 * 1024 * 1024 - empty.length) }))

  expect(await lines.next()).toMatchObject({ id: 1, result: { status: 'ok' } })
})

test('minds neither CRLF, nor blank lines, nor text cut in the middle of a character', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const bytes = Buffer.from(`\r\n\n  \n${line('größe', '_cleveragents/health/check').trim()}\r\n`)

  for (const byte of bytes) lines.write(Buffer.from([byte]))

  expect(await lines.next()).toMatchObject({ id: 'größe', result: { status: 'ok' } })
})

test('answers ten thousand unknown methods, each under its id', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))

  lines.write(Array.from({ length: 10_000 }, (_, id) => line(id, `no/such/${id}`)).join(''))

  const ids = new Set<unknown>()
  while (ids.size < 10_000) {
    const frame = await lines.next()
    expect(frame).toHaveProperty('error.code', -32601)
    ids.add(frame['id'])
  }
  expect(ids.size).toBe(10_000)
})

test('answers what is held when the input ends, ends streams in order, and is done', async () => {
  const lines = typeLines(dispatcherOver(scriptedBackend()))
  const params = { action_name: 'builtin/replace-text', wait: true }

  lines.write(line(1, '_cleveragents/event/subscribe') + line(2, '_cleveragents/plan/use', params))
  const frames = await lines.end()

  expect(frames.find(each => each['id'] === 2)).toHaveProperty('result.state', 'awaiting_input')
  expect(frames).toContainEqual({
    jsonrpc: '2.0',
    method: '$/streamEnd',
    params: { id: 1, reason: 'complete' },
  })
})

test('a cancelled stream ends, says so, and sends nothing more', async () => {
  const backend = scriptedBackend()
  const lines = typeLines(dispatcherOver(backend))
  lines.write(line('s', '_cleveragents/event/subscribe'))
  await lines.next()

  lines.write(`${JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 's' } })}\n`)
  expect(await lines.next()).toEqual({
    jsonrpc: '2.0',
    method: '$/streamEnd',
    params: { id: 's', reason: 'cancelled' },
  })

  lines.write(line(2, '_cleveragents/plan/use', { action_name: 'builtin/replace-text', wait: true }))
  expect(await lines.next()).toMatchObject({ id: 2 })
})

test('a reader that stands still costs one page, is sent away, and loses nothing when it comes back', async () => {
  const backend = scriptedBackend()
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveStdio({ dispatcher: dispatcherOver(backend), input, output })
  input.write(line(1, '_cleveragents/plan/use', { action_name: 'builtin/replace-text', wait: true }))
  await once(output, 'data')
  const planId = backend.log[0]?.planId ?? ''
  output.pause()
  input.write(line(2, '_cleveragents/event/subscribe', { after_seq: 0 }))

  let most = 0
  for (let burst = 0; burst < 300; burst++) {
    backend.say(
      planId,
      Array.from({ length: 100 }, (_, index) => `${burst}.${index} ${'x'.repeat(200)}`),
    )
    await new Promise(setImmediate)
    most = Math.max(most, output.writableLength + output.readableLength)
  }

  expect(most).toBeLessThan(1024 * 1024)
  const frames: Record<string, unknown>[] = []
  let text = ''
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  output.resume()
  const ended = () => text.includes('$/streamEnd')
  while (!ended()) await once(output, 'data')
  for (const each of text.split('\n').filter(Boolean))
    frames.push(JSON.parse(each) as Record<string, unknown>)
  expect(frames.at(-1)).toMatchObject({ method: '$/streamEnd', params: { id: 2, reason: 'overflow' } })
  input.end()
  await served
})

test('the client comes back by itself after an overflow, behind the last number it saw', async () => {
  const backend = scriptedBackend()
  const { transport, outlet } = slowPair()
  const connection = openConnection(dispatcherOver(backend), outlet, 'memory')
  outlet.connect(connection.receive)
  const client = createClient(transport, checkingReader)
  await client.call('_cleveragents/plan/use', { action_name: 'builtin/replace-text', wait: true })
  const planId = backend.log[0]?.planId ?? ''
  const seen: number[] = []
  const opened: number[] = []
  const caughtUp = Promise.withResolvers<void>()
  const stalled = Promise.withResolvers<void>()
  const stop = new AbortController()
  const end = client.subscribe({
    afterSeq: 0,
    signal: stop.signal,
    onOpen: seq => opened.push(seq),
    onEvent: event => {
      seen.push(event.seq)
      if (seen.length === 1) {
        outlet.block()
        stalled.resolve()
      }
      if (event.seq === backend.log.length && opened.length > 1) caughtUp.resolve()
    },
  })
  await stalled.promise
  backend.say(
    planId,
    Array.from({ length: 2_000 }, (_, index) => `${index}`),
  )
  outlet.unblock()
  backend.say(planId, ['the last'])
  await caughtUp.promise
  stop.abort()

  expect(await end).toEqual({ kind: 'cancelled' })
  expect(opened.length).toBeGreaterThan(1)
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
  expect(seen.at(-1)).toBe(backend.log.length)
})

/** A pair in one process whose way back can be blocked, as a full pipe is. */
function slowPair() {
  let listener: TransportListener | null = null
  let receive: (frame: unknown) => void = () => {}
  let gate: PromiseWithResolvers<void> | null = null
  const transport: Transport = {
    send: frame => receive(JSON.parse(JSON.stringify(frame))),
    listen: given => {
      listener = given
    },
    close: async () => {},
  }
  const outlet = {
    send: (frame: unknown) => listener?.onFrame(JSON.parse(JSON.stringify(frame))),
    room: () => gate?.promise ?? null,
    connect(given: (frame: unknown) => void) {
      receive = given
    },
    block() {
      gate = Promise.withResolvers()
    },
    unblock() {
      gate?.resolve()
      gate = null
    },
  }
  return { transport, outlet }
}

function line(id: unknown, method: string, params: object = {}): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
}
