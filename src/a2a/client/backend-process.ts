import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { MAX_FRAME_BYTES } from '../protocol/envelope.ts'
import { createLineReader } from '../protocol/line-reader.ts'
import type { Transport, TransportListener } from './transport.ts'

export interface BackendProcessOptions {
  /** Program and arguments, e.g. `[process.execPath, 'dist/agents.mjs', 'serve', '--stdio']`. */
  readonly argv: readonly [string, ...string[]]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** A line of the backend's log. */
  readonly onLog?: (line: string) => void
}

export interface BackendProcess extends Transport {
  readonly pid: number | undefined
  /** Hangs up without ending it: it has been told to go on alone. */
  leave(): void
}

/**
 * A backend started for this client alone, over its standard streams. Whatever ends it (its own exit, a line that is no
 * frame, `close`) ends every open request at once. It never outlives `close`: it is asked to go, then told, then made to.
 */
export function startBackendProcess(options: BackendProcessOptions): BackendProcess {
  const [program, ...args] = options.argv
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A session of its own: keys and hang-ups of the terminal are the client's business; the end of its input is ours.
    detached: true,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
  })
  const lastWords = collectLog(child.stderr, options.onLog)
  const exited = exitOf(child)
  let listener: TransportListener | null = null
  let ended = false

  function end(reason: string): void {
    if (ended) return
    ended = true
    listener?.onClose(reason)
  }

  readFrames(child.stdout, {
    onFrame: frame => ended || listener?.onFrame(frame),
    onFault(reason) {
      end(reason)
      void stop(child, exited)
    },
  })
  // Written to after it has gone: the exit tells the reason.
  child.stdin.on('error', () => {})
  void exited.then(how => end(`The backend ${how}.${lastWords()}`))

  return {
    pid: child.pid,
    listen: given => {
      listener = given
    },
    send(frame) {
      if (!ended) child.stdin.write(`${JSON.stringify(frame)}\n`)
    },
    async close() {
      await stop(child, exited)
      end('closed')
    },
    leave() {
      end('closed')
      child.stdin.end()
      child.stdout.destroy()
      child.stderr.destroy()
      child.unref()
    },
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

function readFrames(
  stdout: Readable,
  { onFrame, onFault }: { onFrame: (frame: unknown) => void; onFault: (reason: string) => void },
): void {
  const reader = createLineReader({
    maxBytes: 4 * MAX_FRAME_BYTES,
    onTooLong: () => onFault('The backend sent a line that is too long.'),
    onLine(line) {
      const frame = parsed(line)
      if (frame === undefined) onFault(`The backend wrote something that is no frame: ${quoted(line)}`)
      else onFrame(frame)
    },
  })
  stdout.on('data', (chunk: Buffer) => reader.push(chunk))
}

function parsed(line: string): unknown {
  try {
    const frame: unknown = JSON.parse(line)
    return typeof frame === 'object' && frame !== null ? frame : undefined
  } catch {
    return undefined
  }
}

function quoted(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}...` : line)
}

function exitOf(child: Child): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(`could not be started: ${error.message}`))
    // Not `exit`: what it wrote last is still to be read then.
    child.once('close', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`))
  })
}

/** End of its input, then SIGTERM, then SIGKILL. */
async function stop(child: Child, exited: Promise<unknown>): Promise<void> {
  child.stdin.end()
  const timers = (['SIGTERM', 'SIGKILL'] as const).map((signal, turn) =>
    setTimeout(() => child.kill(signal), PATIENCE_MS * (turn + 1)),
  )
  await exited
  for (const timer of timers) clearTimeout(timer)
}

const PATIENCE_MS = 2_000

function collectLog(stderr: Readable, onLog: ((line: string) => void) | undefined): () => string {
  let last = ''
  const reader = createLineReader({
    maxBytes: MAX_FRAME_BYTES,
    onTooLong: () => {},
    onLine(line) {
      last = line
      onLog?.(line)
    },
  })
  stderr.on('data', (chunk: Buffer) => reader.push(chunk))
  return () => (last === '' ? '' : ` Its last words: ${quoted(last)}`)
}
