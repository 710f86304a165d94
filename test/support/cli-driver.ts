import { PassThrough } from 'node:stream'
import type { CallResult } from '../../src/a2a/client/rpc-failure.ts'
import type { WireEvent } from '../../src/a2a/protocol/events.ts'
import { type MethodName, methods, type Output, type Params } from '../../src/a2a/protocol/methods.ts'
import type { CliClient, CliHost, EditedText, ScreenOptions, StopSignal } from '../../src/cli/host.ts'
import { runCommandLine } from '../../src/cli/run.ts'

type Answer<Name extends MethodName> = (
  params: Params<Name>,
) => Output<Name> | CallResult<Output<Name>> | Promise<Output<Name> | CallResult<Output<Name>>>

export type CliAnswers = { [Name in MethodName]?: Answer<Name> }

export interface CliWorld {
  readonly answers?: CliAnswers
  readonly events?: readonly WireEvent[]
  readonly env?: Record<string, string>
  readonly terminal?: { readonly columns: number; readonly typed?: string }
  readonly files?: Record<string, string>
  /** What the person makes of a text in their own editor. */
  readonly edit?: (text: string) => EditedText
  readonly connectFailure?: { errorType: string; message: string }
}

/** Runs one command line against a backend made of prepared answers. */
export async function runCli(args: readonly string[], world: CliWorld = {}) {
  const stdout = recorder(world.terminal?.columns)
  const stderr = recorder(world.terminal?.columns)
  const calls: { method: string; params: unknown }[] = []
  const screens: ScreenOptions[] = []
  const backends: unknown[] = []
  const written: Record<string, string> = {}
  let listener: ((signal: StopSignal) => void) | null = null
  const control = { signal: (signal: StopSignal) => listener?.(signal), closed: 0, left: 0 }
  const host: CliHost = {
    version: '1.2.3',
    runtime: 'node v24.0.0',
    env: { LANG: 'C.UTF-8', TERM: 'xterm-256color', ...world.env },
    cwd: '/home/mira/shop',
    stdin: terminalInput(world),
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: () => 0,
    readFile: async path => fileText(world.files?.[path], path),
    readBytes: async path => {
      const text = fileText(world.files?.[path], path)
      return text.ok ? { ok: true, value: Buffer.from(text.value) } : text
    },
    writeNewFile: async (path, text) => {
      if (world.files?.[path] !== undefined) return `${path} is there already`
      written[path] = text
      return null
    },
    editText: async text => world.edit?.(text) ?? { kind: 'problem', message: 'Set EDITOR to your editor.' },
    async connect(options) {
      backends.push(options)
      const { connectFailure } = world
      if (connectFailure) return { ok: false, failure: { facts: {}, code: 0, ...connectFailure } }
      const client = scriptedClient(world, calls, control)
      return { ok: true, value: { client, close: async () => void control.closed++ } }
    },
    async connectApart(options) {
      backends.push(options)
      const client = scriptedClient(world, calls, control)
      return { client, close: async () => void control.closed++, leave: () => void control.left++ }
    },
    serveStdio: async () => 0,
    async runScreen(options) {
      screens.push(options)
      return 0
    },
    onSignal(given) {
      listener = given
      return () => {
        listener = null
      }
    },
  }
  const code = await runCommandLine(args, host)
  return {
    code,
    out: stdout.text(),
    err: stderr.text(),
    calls,
    screens,
    backends,
    written,
    closed: control.closed,
    left: control.left,
  }
}

export function refused(errorType: string, message: string, facts: Record<string, unknown> = {}) {
  return { ok: false as const, failure: { errorType, message, facts, code: -32000 } }
}

interface Control {
  readonly signal: (signal: StopSignal) => void
}

/** For an answer that comes while the person stops the command. */
export const stopsHere = { signal: 'SIGINT' as StopSignal }

function scriptedClient(
  world: CliWorld,
  calls: { method: string; params: unknown }[],
  control: Control,
): CliClient {
  let seq = 0
  const listeners: ((event: WireEvent) => void)[] = []
  const answerTo = async (method: string, params: unknown): Promise<CallResult<unknown>> => {
    calls.push({ method, params })
    // The table is typed by name; a lookup by a variable name forgets which one it is.
    const answers = world.answers as Record<string, ((params: unknown) => unknown) | undefined> | undefined
    const answer = answers?.[method] ?? standing[method]
    if (!answer) return refused('not_found', `The script has no answer to ${method}.`)
    const value = (await answer(params)) as object
    if (value === stopsHere) control.signal('SIGINT')
    return value && 'ok' in value ? (value as CallResult<unknown>) : { ok: true, value }
  }
  const standing: Record<string, (params: unknown) => unknown> = {
    '_cleveragents/config/get': () => ({
      key: 'core.format',
      value: 'rich',
      source: 'default',
      description: '',
    }),
    '_cleveragents/plan/list': () => ({ plans: [], seq }),
  }
  return {
    call: (async (method: MethodName, params: unknown) => {
      methods[method].params.parse(params)
      const answer = await answerTo(method, params)
      if (/plan\/(use|execute|approve|resume|apply|reject)$/.test(method)) send()
      return answer
    }) as CliClient['call'],
    subscribe: ({ onEvent, onOpen, signal }) =>
      new Promise(resolve => {
        listeners.push(onEvent)
        onOpen?.(0)
        signal?.addEventListener('abort', () => resolve({ kind: 'cancelled' }))
        if (signal?.aborted) resolve({ kind: 'cancelled' })
      }),
    raw: {
      unary: answerTo,
      stream: async () => ({ ok: true, value: 'complete' }),
    },
  }

  function send(): void {
    for (const event of world.events ?? []) {
      seq = event.seq
      for (const listen of listeners) listen(event)
    }
  }
}

function recorder(columns: number | undefined) {
  const pieces: Buffer[] = []
  return {
    stream: {
      write: (text: string | Uint8Array) => pieces.push(Buffer.from(text)),
      ...(columns === undefined ? {} : { isTTY: true, columns }),
    },
    text: () => Buffer.concat(pieces).toString('utf8'),
  }
}

function terminalInput({ terminal }: CliWorld) {
  const input = new PassThrough()
  input.end(terminal?.typed ?? '')
  return Object.assign(input, terminal ? { isTTY: true } : {})
}

function fileText(text: string | undefined, path: string) {
  return text === undefined
    ? { ok: false as const, errorType: 'not_found' as const, message: `There is no file ${path}.` }
    : { ok: true as const, value: text }
}
