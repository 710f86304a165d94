import type { Client } from '../a2a/client/client.ts'
import type { CallResult } from '../a2a/client/rpc-failure.ts'

/**
 * Everything the commands need from the world, handed in by compose. The commands themselves know the protocol only:
 * they neither build a backend nor touch the process.
 */
export interface CliHost {
  readonly version: string
  /** Name and version of what runs us, e.g. `node v24.1.0`. */
  readonly runtime: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: CliStream
  readonly stderr: CliStream
  /** Milliseconds from any fixed point. */
  now(): number
  readFile(path: string): Promise<FileText>
  readBytes(path: string): Promise<FileBytes>
  /** Null when it was written; why not, where something is there already or it cannot be made. */
  writeNewFile(path: string, text: string): Promise<string | null>
  /** Gives the terminal to the person's own editor until it ends. */
  editText(text: string): Promise<EditedText>
  /** A backend inside this process, for one command. */
  connect(options: BackendOptions): Promise<CallResult<Connected>>
  /** A backend in a process of its own, which may go on after this command. */
  connectApart(options: BackendOptions): Promise<ApartBackend>
  /** Resolves with the exit code when the other side has hung up. */
  serveStdio(options: BackendOptions): Promise<number>
  runScreen(options: ScreenOptions): Promise<number>
  /** Tells of every signal until the returned function is called; without a listener a signal ends the process. */
  onSignal(listener: (signal: StopSignal) => void): () => void
}

export type EditedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly message: string }

export type FileText = Read<string>
export type FileBytes = Read<Uint8Array>

type Read<Content> =
  | { readonly ok: true; readonly value: Content }
  | { readonly ok: false; readonly errorType: 'not_found' | 'invalid_input'; readonly message: string }

export type StopSignal = 'SIGINT' | 'SIGTERM'

export interface CliStream {
  write(text: string | Uint8Array): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

export type CliClient = Pick<Client, 'call' | 'subscribe' | 'raw'>

export interface Connected {
  readonly client: CliClient
  /** Orderly: what runs here pauses and its leases are released. */
  close(): Promise<void>
}

export interface ApartBackend {
  readonly client: CliClient
  /** Ends it in order. */
  close(): Promise<void>
  /** Hangs up and lets it run on by itself. */
  leave(): void
}

export interface BackendOptions {
  /** The folder the command acts on, absolute. */
  readonly folder: string
  readonly dataDir: string | null
  readonly configPath: string | null
}

export interface ScreenOptions extends BackendOptions {
  readonly colour: 'auto' | 'never'
  /** demo: makes the demo repository and starts a plan on it, once the screen is up. */
  readonly startWith: 'home' | 'demo'
}
