import type { Readable, Writable } from 'node:stream'
import { type Frame, MAX_FRAME_BYTES } from '../protocol/envelope.ts'
import { createLineReader } from '../protocol/line-reader.ts'
import { type Connection, type Outlet, openConnection } from './connection.ts'
import type { Dispatcher } from './dispatcher.ts'

export interface StdioOptions {
  readonly dispatcher: Dispatcher
  readonly input: Readable
  /** The wire and nothing else: the caller has called `redirectConsole` before its other imports. */
  readonly output: Writable
  /** Ends serving as the end of the input does. */
  readonly signal?: AbortSignal
}

/**
 * Serves one peer over a pair of streams, one JSON object a line. Resolves when the input has ended, what was held is
 * answered and written; a peer that stopped reading is not waited for longer than `FINISH_MS`.
 */
export async function serveStdio({ dispatcher, input, output, signal }: StdioOptions): Promise<void> {
  const gone = Promise.withResolvers<void>()
  const outlet = lineOutlet(output, gone.promise)
  const connection = openConnection(dispatcher, outlet, 'stdio')
  const reader = createLineReader({
    maxBytes: MAX_FRAME_BYTES,
    onLine: line => receiveLine(line, connection),
    onTooLong: () =>
      connection.refuse(
        'invalid_request',
        `A line may have ${MAX_FRAME_BYTES} bytes; a longer one was skipped.`,
      ),
  })
  const onData = (chunk: Buffer) => {
    reader.push(chunk)
    // Answers pile up faster than they are read: take no more questions until they are.
    if (output.writableLength > MAX_WAITING_BYTES) void holdBack(input, outlet)
  }
  input.on('data', onData)
  for (const event of ['end', 'close', 'error'] as const) input.once(event, gone.resolve)
  for (const event of ['close', 'error'] as const) output.on(event, gone.resolve)
  signal?.addEventListener('abort', () => gone.resolve(), { once: true })

  await gone.promise
  input.off('data', onData)
  input.pause()
  await connection.finish(ANSWER_MS)
  await flushed(output)
}

/** What is asked for before the input ends is answered, if it takes no longer than this. */
const ANSWER_MS = 700
const FINISH_MS = 300
const MAX_WAITING_BYTES = 2 * MAX_FRAME_BYTES

function receiveLine(line: string, connection: Connection): void {
  try {
    connection.receive(JSON.parse(line))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    connection.refuse('parse_error', `A line is no JSON: ${error.message}`)
  }
}

function lineOutlet(output: Writable, gone: Promise<void>): Outlet {
  let drained: Promise<void> | null = null
  return {
    send(frame: Frame): void {
      if (output.destroyed || output.writableEnded) return
      // Frames of one turn of the event loop leave in one write.
      if (output.writableCorked === 0) {
        output.cork()
        process.nextTick(() => output.uncork())
      }
      output.write(`${JSON.stringify(frame)}\n`)
    },
    room() {
      if (!output.writableNeedDrain) return null
      drained ??= new Promise<void>(resolve => {
        output.once('drain', resolve)
        void gone.then(resolve)
      }).finally(() => {
        drained = null
      })
      return drained
    },
  }
}

async function holdBack(input: Readable, outlet: Outlet): Promise<void> {
  input.pause()
  await outlet.room()
  input.resume()
}

function flushed(output: Writable): Promise<void> {
  return new Promise(resolve => {
    if (output.destroyed) resolve()
    const timer = setTimeout(resolve, FINISH_MS)
    output.write('', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
