import type { RpcFailure } from '../a2a/client/rpc-failure.ts'
import { exitCodes } from './exit-codes.ts'
import type { BackendOptions, CliClient, CliHost, Connected, StopSignal } from './host.ts'

/** The backend of one command, and the signals that stop it. */
export interface Session {
  connect(): Promise<CliClient>
  isConnected(): boolean
  close(): Promise<void>
  readonly signal: AbortSignal
  /** The exit code of the signal that stopped the command; null while none did. */
  stopCode(): number | null
  /** Resolves at the second signal: the person will not wait any longer. */
  readonly insisted: Promise<number>
}

/** Not a bug: the backend could not be opened, for a reason it names. Caught where commands are run. */
export class ConnectRefusal extends Error {
  readonly failure: RpcFailure
  constructor(failure: RpcFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export function openSession(host: CliHost, options: BackendOptions): Session {
  const stop = new AbortController()
  const insisted = Promise.withResolvers<number>()
  let connected: Promise<Connected> | null = null
  let unwatch: (() => void) | null = null
  let stopCode: number | null = null

  function onSignal(signal: StopSignal): void {
    const code = signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated
    if (stopCode !== null) insisted.resolve(code)
    stopCode ??= code
    stop.abort()
  }

  async function open(): Promise<Connected> {
    // Only now: a command that runs the screen or a server leaves the signals to it.
    unwatch = host.onSignal(onSignal)
    const opened = await host.connect(options)
    if (!opened.ok) throw new ConnectRefusal(opened.failure)
    return opened.value
  }

  return {
    signal: stop.signal,
    insisted: insisted.promise,
    stopCode: () => stopCode,
    isConnected: () => connected !== null,
    async connect() {
      connected ??= open()
      return (await connected).client
    },
    async close() {
      const closing = connected
      connected = null
      await closing?.then(
        each => each.close(),
        () => {},
      )
      unwatch?.()
    },
  }
}
