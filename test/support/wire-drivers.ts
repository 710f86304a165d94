import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { startBackendProcess } from '../../src/a2a/client/backend-process.ts'
import { checkingReader } from '../../src/a2a/client/checking-reader.ts'
import { type Client, createClient } from '../../src/a2a/client/client.ts'
import { connectInMemory } from '../../src/a2a/client/in-memory.ts'
import { openConnection } from '../../src/a2a/server/connection.ts'
import { createDispatcher, type Dispatcher } from '../../src/a2a/server/dispatcher.ts'
import { serveStdio } from '../../src/a2a/server/stdio.ts'
import type { Backend } from '../../src/application/backend.ts'

const here = { pid: process.pid, startedAt: '2026-01-02T03:04:05.000Z' }

export type LogLine = readonly [message: string, facts: Record<string, unknown>]

export function dispatcherOver(backend: Backend, log: LogLine[] = []): Dispatcher {
  return createDispatcher({
    backend,
    here,
    user: 'ada',
    version: '0.0.1',
    log: (message, facts = {}) => log.push([message, facts]),
  })
}

/** A client and a backend in one process. */
export function clientInMemory(backend: Backend, log: LogLine[] = []): Client {
  const dispatcher = dispatcherOver(backend, log)
  const transport = connectInMemory(deliver =>
    openConnection(dispatcher, { send: deliver, room: () => null }, 'memory'),
  )
  const client = createClient(transport, checkingReader)
  onTestFinished(() => client.close())
  return client
}

/** A client of a real child process. */
export function clientOfProcess(argv: readonly [string, ...string[]], env = process.env): Client {
  const client = createClient(startBackendProcess({ argv, env }), checkingReader)
  onTestFinished(() => client.close())
  return client
}

export interface Lines {
  write(text: string | Uint8Array): void
  /** The next frame; waits for it. */
  next(): Promise<Record<string, unknown>>
  /** Closes the input and resolves with the frames not yet taken when serving has ended. */
  end(): Promise<Record<string, unknown>[]>
}

/** Types lines into a served pair of streams, like a person with a pipe. */
export function typeLines(dispatcher: Dispatcher): Lines {
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveStdio({ dispatcher, input, output })
  const frames: Record<string, unknown>[] = []
  let text = ''
  output.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n')
    text = lines.pop() ?? ''
    frames.push(...lines.map(line => JSON.parse(line) as Record<string, unknown>))
    output.emit('frames')
  })
  const lines: Lines = {
    write: given => void input.write(given),
    async next() {
      while (frames.length === 0) await once(output, 'frames')
      return frames.shift() as Record<string, unknown> // there is one: see the line above
    },
    async end() {
      input.end()
      await served
      return frames.splice(0)
    },
  }
  onTestFinished(() => void lines.end())
  return lines
}
