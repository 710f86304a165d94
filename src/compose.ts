/** Puts the program together: what the commands need from the process, with every heavy part loaded when used. */
import { resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { createClient } from './a2a/client/client.ts'
import { connectInMemory } from './a2a/client/in-memory.ts'
import type { CallResult } from './a2a/client/rpc-failure.ts'
import type { BackendOptions, CliHost, Connected, FileBytes, FileText } from './cli/host.ts'
import type { Log } from './compose-backend.ts'
import { isForbidden } from './infrastructure/error-code.ts'

export function composeHost(process: NodeJS.Process): CliHost {
  return {
    version: manifest.version,
    runtime: `node ${process.version}`,
    env: process.env,
    cwd: process.cwd(),
    // Reading one of these opens it, with all that Node loads for a terminal, a pipe or a file.
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return process.stderr
    },
    now: () => performance.now(),
    readFile: readTextFile,
    readBytes: readFileBytes,
    async writeNewFile(path, text) {
      return (await import('./infrastructure/system/write-new-file.ts')).writeNewFile(path, text)
    },
    async editText(text) {
      const { editInOwnEditor } = await import('../components/terminal/own-editor.ts')
      return editInOwnEditor(text, { env: process.env, terminal: { handOver: work => work() } })
    },
    connect: options => connect(process, options),
    connectApart: async options => {
      const { startApart } = await import('./compose-screen.ts')
      const transport = startApart(process, options)
      const client = createClient(transport)
      return { client, close: () => client.close(), leave: () => transport.leave() }
    },
    serveStdio: options => serve(process, options),
    runScreen: async options => (await import('./compose-screen.ts')).runScreen(process, options),
    onSignal: listener => {
      const signals = ['SIGINT', 'SIGTERM'] as const
      const listeners = signals.map(signal => [signal, () => listener(signal)] as const)
      for (const [signal, heard] of listeners) process.on(signal, heard)
      return () => {
        for (const [signal, heard] of listeners) process.off(signal, heard)
      }
    },
  }
}

async function readTextFile(path: string): Promise<FileText> {
  const read = await readFileBytes(path)
  if (!read.ok) return read
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(read.value) }
  } catch {
    return { ok: false, errorType: 'invalid_input', message: `${path} is no UTF-8 text.` }
  }
}

async function readFileBytes(path: string): Promise<FileBytes> {
  const { readFile } = await import('node:fs/promises')
  try {
    return { ok: true, value: await readFile(path) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return { ok: false, errorType: 'not_found', message: `There is no file ${path}.` }
    const reason =
      code === 'EISDIR'
        ? 'it is a folder; name a file'
        : isForbidden(error)
          ? 'you may not read it'
          : String(error)
    return { ok: false, errorType: 'invalid_input', message: `${path} cannot be read: ${reason}.` }
  }
}

/** A backend inside this process, for one command. */
async function connect(process: NodeJS.Process, options: BackendOptions): Promise<CallResult<Connected>> {
  const started = await startBackend(process, options, { mode: 'look', openLog: () => () => {} })
  if (!started.ok) return started
  const { dispatcher, backend } = started.value
  const { openConnection } = await import('./a2a/server/connection.ts')
  const transport = connectInMemory(deliver =>
    openConnection(dispatcher, { send: deliver, room: () => null }, 'memory'),
  )
  const client = createClient(transport)
  return {
    ok: true,
    value: {
      client,
      close: async () => {
        await client.close()
        await backend.stop()
      },
    },
  }
}

/**
 * A backend for one client over standard streams. It ends in order when the client hangs up or a signal comes; told to
 * keep running, it goes on alone until nothing runs any more.
 */
async function serve(process: NodeJS.Process, options: BackendOptions): Promise<number> {
  const [{ redirectConsole }, { openLogFile }] = await Promise.all([
    import('./a2a/server/redirect-console.ts'),
    import('./infrastructure/system/log-file.ts'),
  ])
  redirectConsole(process.stderr)
  // Nobody may be left to read it when this process goes on alone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const started = await startBackend(process, options, { mode: 'serve', openLog: openLogFile })
  if (!started.ok) {
    process.stderr.write(`${started.failure.message}\n`)
    return 1
  }
  const { dispatcher, backend, log } = started.value
  const { serveStdio } = await import('./a2a/server/stdio.ts')
  const stop = new AbortController()
  let exitCode = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  // A backend that goes on alone outlives the terminal it was started from.
  process.on('SIGHUP', () => backend.isKeptRunning() || stop.abort())
  // A promise that nobody waits for leaves nothing half done that the journal does not know of.
  process.on('unhandledRejection', error =>
    log('a promise was rejected and nobody heard it', describe(error)),
  )
  process.on('uncaughtException', error => {
    log('the backend ends because of an internal error', describe(error))
    exitCode = 1
    stop.abort()
  })
  await serveStdio({ dispatcher, input: process.stdin, output: process.stdout, signal: stop.signal })
  if (backend.isKeptRunning()) await backend.idle(stop.signal).catch(() => {})
  await backend.stop()
  return exitCode
}

function describe(error: unknown): { error: string } {
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

interface BackendStart {
  readonly mode: 'look' | 'serve'
  readonly openLog: (dataDir: string) => Log
}

async function startBackend(
  process: NodeJS.Process,
  options: BackendOptions,
  { mode, openLog }: BackendStart,
) {
  const [{ composeBackend }, { createDispatcher }] = await Promise.all([
    import('./compose-backend.ts'),
    import('./a2a/server/dispatcher.ts'),
  ])
  const composed = composeBackend({
    env: process.env,
    platform: process.platform,
    pid: process.pid,
    nodeVersion: process.versions.node,
    dataDir: options.dataDir === null ? null : resolve(options.folder, options.dataDir),
    configFile: options.configPath === null ? null : resolve(options.folder, options.configPath),
    flags: {},
    openLog,
  })
  if (!composed.ok) return asRpcFailure(composed.failure)
  const { backend, ports } = composed.value
  const { host, log } = ports
  await backend.recover(mode)
  const dispatcher = createDispatcher({
    backend,
    here: host.process,
    user: host.user,
    version: manifest.version,
    log,
  })
  return { ok: true as const, value: { backend, dispatcher, log } }
}

function asRpcFailure({
  code,
  message,
  facts,
}: {
  code: string
  message: string
  facts: Readonly<Record<string, unknown>>
}) {
  return { ok: false as const, failure: { errorType: code, message, facts, code: 0 } }
}
