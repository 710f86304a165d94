import type { RpcFailure } from '../a2a/client/rpc-failure.ts'
import { type ErrorType, errorCodes } from '../a2a/protocol/error-codes.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import type { Given } from './given.ts'
import type { CliClient, CliHost, ScreenOptions } from './host.ts'
import { cleaned } from './render/clean.ts'
import type { Paper } from './render/paper.ts'

/** One command: most are one call of the protocol and a way to print its result. */
export type Command = (context: CommandContext) => Promise<CommandResult>

export interface CommandContext {
  readonly given: Given
  /** The folder the command acts on, absolute. */
  readonly folder: string
  readonly host: CliHost
  readonly isTrusting: boolean
  readonly saysYes: boolean
  readonly screen: Omit<ScreenOptions, 'startWith'>
  /** Aborts when the person stops the command. */
  readonly signal: AbortSignal
  /** The backend of this command, opened when first asked for and closed after it. */
  connect(): Promise<CliClient>
  /** A line of progress, warning or preview; never on stdout. */
  readonly aside: Paper
  tell(line: string): void
  /** A line of the answer before the rest of it is known. Machine formats wait for the whole. */
  page(lines: (paper: Paper) => readonly string[]): void
  /** What a person typed; null where there is no terminal to ask on. */
  ask(question: string): Promise<string | null>
}

export type CommandResult =
  | Done
  | { readonly kind: 'failed'; readonly failure: RpcFailure }
  /** What ran has had stdout for itself; there is nothing left to print. */
  | { readonly kind: 'ended'; readonly exitCode: number }

export interface Done {
  readonly kind: 'done'
  readonly data: unknown
  lines(paper: Paper): readonly string[]
  /** Printed as it is, instead of lines, where nobody but a program reads it. */
  readonly bytes: Uint8Array | null
  readonly exitCode: ExitCode
  readonly messages: readonly Message[]
  /** Why the command did not reach its end although there is something to print. */
  readonly problem: RpcFailure | null
}

export interface Message {
  readonly level: 'info' | 'warn' | 'error'
  readonly text: string
}

type Render<Data> = (data: Data, paper: Paper) => readonly string[]

/** Everything drawn passes the cleaning here; `data` itself stays as the backend sent it. */
export function done<Data>(data: Data, render: Render<Data>, more: Partial<Omit<Done, 'lines'>> = {}): Done {
  return {
    kind: 'done',
    data,
    lines: paper => render(cleaned(data), paper),
    bytes: null,
    exitCode: exitCodes.done,
    messages: [],
    problem: null,
    ...more,
  }
}

export function ended(exitCode: number): CommandResult {
  return { kind: 'ended', exitCode }
}

export function failed(failure: RpcFailure): CommandResult {
  return { kind: 'failed', failure }
}

export function refuse(
  errorType: ErrorType,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): CommandResult {
  return failed({ errorType, message, facts, code: errorCodes[errorType] })
}
