import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { startBackendProcess } from '../../src/a2a/client/backend-process.ts'
import { createClient } from '../../src/a2a/client/client.ts'
import { createLineReader } from '../../src/a2a/protocol/line-reader.ts'
import { type Measurement, percentile } from '../support/measurement.ts'

const TRIPS = 5_000
const EVENTS = 50_000

/** What the wire costs: a call there and back and a stream, each against two bare processes that pass lines. */
export async function measure(): Promise<Measurement[]> {
  const bare = await bareTrips()
  const ours = await ourTrips()
  const bareRate = await bareStream()
  const ourRate = await ourStream()
  return [
    ...[0.5, 0.99].map(part => ({
      what: `health/check over stdio, p${part * 100}`,
      value: percentile(ours, part),
      unit: 'ms' as const,
      floor: { what: 'line echo', value: percentile(bare, part) },
    })),
    {
      what: 'events of a subscription over stdio',
      value: ourRate,
      unit: 'per second',
      floor: { what: 'bare lines', value: bareRate },
    },
  ]
}

async function ourTrips(): Promise<number[]> {
  const client = createClient(startBackendProcess({ argv: fixture(0) }))
  const trip = async () => {
    const { ok } = await client.call('_cleveragents/health/check', {})
    if (!ok) throw new Error('the backend does not answer')
  }
  const times = await timed(trip)
  await client.close()
  return times
}

async function bareTrips(): Promise<number[]> {
  const echo = bareProcess('process.stdin.pipe(process.stdout)')
  const request = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: '_cleveragents/health/check', params: {} })}\n`
  const times = await timed(async () => {
    echo.stdin.write(request)
    await once(echo.stdout, 'data')
  })
  echo.kill()
  return times
}

async function timed(trip: () => Promise<void>): Promise<number[]> {
  for (let turn = 0; turn < 500; turn++) await trip()
  const times: number[] = []
  for (let turn = 0; turn < TRIPS; turn++) {
    const start = performance.now()
    await trip()
    times.push(performance.now() - start)
  }
  return times
}

/** A replay of the log, which is how a client that comes back catches up. */
async function ourStream(): Promise<number> {
  const client = createClient(startBackendProcess({ argv: fixture(EVENTS) }))
  await client.call('_cleveragents/health/check', {})
  const stop = new AbortController()
  const start = performance.now()
  let events = 0
  await client.subscribe({
    afterSeq: 0,
    signal: stop.signal,
    onEvent() {
      events++
      if (events === EVENTS) stop.abort()
    },
  })
  if (events < EVENTS) throw new Error(`only ${events} events came`)
  const rate = events / ((performance.now() - start) / 1000)
  await client.close()
  return rate
}

async function bareStream(): Promise<number> {
  const line = JSON.stringify({
    jsonrpc: '2.0',
    method: '_cleveragents/cost/charged',
    params: { pad: 'x'.repeat(220) },
  })
  const child = bareProcess(`
    const line = ${JSON.stringify(`${line}\n`)}
    process.stdin.once('data', async () => {
      for (let sent = 0; sent < ${EVENTS}; sent++)
        if (!process.stdout.write(line)) await new Promise(resolve => process.stdout.once('drain', resolve))
    })`)
  const start = performance.now()
  child.stdin.write('go\n')
  let lines = 0
  await new Promise<void>(resolve => {
    const reader = createLineReader({
      maxBytes: 1_000_000,
      onTooLong: () => {},
      onLine(text) {
        JSON.parse(text)
        lines++
        if (lines === EVENTS) resolve()
      },
    })
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk))
  })
  const rate = lines / ((performance.now() - start) / 1000)
  child.kill()
  return rate
}

function fixture(events: number): [string, ...string[]] {
  return [process.execPath, 'test/support/serve-fixture.ts', String(events)]
}

function bareProcess(program: string): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, ['--eval', program], { stdio: ['pipe', 'pipe', 'inherit'] })
}
