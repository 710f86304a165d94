import type { RpcFailure } from '../a2a/client/rpc-failure.ts'
import type { CommandResult, Done, Message } from './command.ts'
import { exitCodeOfFailure, exitCodes } from './exit-codes.ts'
import type { Format } from './global-flags.ts'
import type { CliStream } from './host.ts'
import { cleanLine } from './render/clean.ts'
import { failureLines } from './render/failure.ts'
import type { Paper } from './render/paper.ts'

export interface Printer {
  readonly format: Format
  readonly stdout: CliStream
  readonly stderr: CliStream
  readonly paper: Paper
  readonly aside: Paper
}

export interface Run {
  readonly command: string
  readonly durationMs: number
  readonly result: Exclude<CommandResult, { kind: 'ended' }>
  /** Set where a signal stopped the command: it says more than what the command then failed of. */
  readonly stopCode: number | null
}

/** Prints what a command came to and says the exit code; a machine reads the same code in the envelope. */
export async function printRun(run: Run, printer: Printer): Promise<number> {
  const exitCode = exitCodeOf(run)
  if (printer.format === 'json' || printer.format === 'yaml') {
    const envelope = envelopeOf(run, exitCode)
    printer.stdout.write(await serialised(envelope, printer.format))
  } else {
    printText(run.result, printer)
  }
  return exitCode
}

export interface Envelope {
  readonly command: string
  readonly status: 'ok' | 'warn' | 'error'
  readonly exit_code: number
  readonly data: unknown
  readonly error?: {
    readonly type: string
    readonly code: number
    readonly message: string
    readonly data: unknown
  }
  readonly messages: readonly Message[]
  readonly timing: { readonly duration_ms: number }
}

function envelopeOf({ command, durationMs, result }: Run, exitCode: number): Envelope {
  const problem = problemOf(result)
  const messages = result.kind === 'done' ? result.messages : []
  return {
    command,
    status: statusOf(exitCode, messages),
    exit_code: exitCode,
    data: result.kind === 'done' ? result.data : null,
    ...(problem === null ? {} : { error: errorOf(problem) }),
    messages: problem === null ? messages : [...messages, { level: 'error', text: problem.message }],
    timing: { duration_ms: Math.round(durationMs) },
  }
}

function exitCodeOf({ result, stopCode }: Run): number {
  const problem = problemOf(result)
  if (problem !== null && stopCode !== null) return stopCode
  if (result.kind === 'done') return result.exitCode
  return exitCodeOfFailure(result.failure.errorType)
}

function problemOf(result: Run['result']): RpcFailure | null {
  return result.kind === 'done' ? result.problem : result.failure
}

function statusOf(exitCode: number, messages: readonly Message[]): Envelope['status'] {
  if (exitCode === exitCodes.gateWaits) return 'warn'
  if (exitCode !== exitCodes.done) return 'error'
  return messages.some(message => message.level !== 'info') ? 'warn' : 'ok'
}

function errorOf({ errorType, code, message, facts }: RpcFailure) {
  return { type: errorType, code, message, data: facts }
}

async function serialised(envelope: Envelope, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(envelope, null, 2)}\n`
  const { toYaml } = await import('./print-yaml.ts')
  return toYaml(envelope)
}

function printText(result: Run['result'], { stdout, stderr, paper, aside, format }: Printer): void {
  if (result.kind === 'done') {
    // Somebody who looks at a terminal gets safe lines; a program gets every byte.
    const isForProgram = format === 'plain' && stdout.isTTY !== true
    if (result.bytes && isForProgram) stdout.write(result.bytes)
    else writeLines(stdout, result.lines(paper))
    for (const message of result.messages) writeLines(stderr, messageLines(message))
  }
  const problem = problemOf(result)
  if (problem !== null) writeLines(stderr, failureLines(problem, aside))
}

export function writeLines(stream: CliStream, lines: readonly string[]): void {
  if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
}

function messageLines({ level, text }: Done['messages'][number]): string[] {
  return [`${level}: ${cleanLine(text)}`]
}
