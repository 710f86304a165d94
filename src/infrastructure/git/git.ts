/**
 * Every git process of the program starts here: a call is data, one runner performs it. The runner discovers nothing:
 * directories are named, inherited git variables are dropped, and nothing a repository configures can be executed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { gitEnvironment, safetySettings } from './environment.ts'

export interface GitCall {
  /** Subcommand and options. Paths of files go through `stdin`, NUL-separated: argv cannot carry every name. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly dirs?: GitDirs
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>
  /**
   * `user` reads the settings a person has (which folders they trust, what they ignore), for questions about their
   * repository only; everything else runs `isolated`.
   */
  readonly settings?: 'isolated' | 'user'
  /** Exit codes that are an answer rather than a failure. */
  readonly accept?: readonly number[]
  /** Takes the output as it comes, for outputs that need not fit in memory. */
  readonly onOutput?: (chunk: Buffer) => void | Promise<void>
}

export interface GitDirs {
  readonly gitDir: string
  readonly workTree?: string
  readonly indexFile?: string
  /** An objects folder to read besides the own one, for this call only. */
  readonly borrowedObjects?: string
}

export interface GitOutput {
  readonly code: number
  /** Empty when the call had `onOutput`. */
  readonly stdout: Buffer
  readonly stderr: string
}

export type Git = (call: GitCall, signal?: AbortSignal) => Promise<Result<GitOutput>>

const MAX_OUTPUT_BYTES = 512 * 1024 * 1024
const MAX_ERROR_CHARACTERS = 16 * 1024

export function createGit(environment: Readonly<Record<string, string | undefined>>): Git {
  return async (call, signal) => {
    if (signal?.aborted) return refuse('interrupted', `git ${call.args[0]} was not started.`)
    const outcome = await runGit(call, environment, signal)
    if (signal?.aborted) return refuse('interrupted', `git ${call.args[0]} was stopped.`)
    if (outcome instanceof Error) return failureToRun(call, outcome)
    if (outcome.code === 0 || call.accept?.includes(outcome.code)) return ok(outcome)
    return gitFailure(call, outcome)
  }
}

async function runGit(
  call: GitCall,
  environment: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<GitOutput | Error> {
  const child = spawn('git', [...safetySettings, ...call.args], {
    cwd: call.cwd,
    env: gitEnvironment(environment, call),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A terminated git removes its lock files; a killed one would leave them behind.
  const stop = () => child.kill('SIGTERM')
  signal?.addEventListener('abort', stop, { once: true })
  child.once('close', () => signal?.removeEventListener('abort', stop))
  const failed = new Promise<Error>(resolve => child.once('error', resolve))
  const fed = feed(child.stdin, call.stdin)
  fed.catch(() => {})
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_ERROR_CHARACTERS) stderr += text
  })
  const finished = (async () => {
    const closed = once(child, 'close')
    closed.catch(() => {})
    const stdout = await takeOutput(child.stdout, call.onOutput)
    await fed
    const [code] = await closed
    return { code: typeof code === 'number' ? code : 128, stdout, stderr }
  })().catch(error => {
    child.kill()
    return error instanceof Error ? error : new Error(String(error))
  })
  return Promise.race([failed, finished])
}

/** Fails when what is fed could not be produced; git then gets no end of input that it could take for the whole. */
async function feed(stdin: Writable, content: GitCall['stdin']): Promise<void> {
  // A process that ends without reading its input is judged by its exit code, not by the broken pipe.
  stdin.on('error', () => {})
  if (content === undefined || content instanceof Uint8Array) {
    stdin.end(content ?? Buffer.alloc(0))
    return
  }
  await pipeline(Readable.from(content, { objectMode: true, highWaterMark: 1 }), stdin).catch(error => {
    if (!isBrokenPipe(error)) throw error
  })
}

function isBrokenPipe(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ERR_STREAM_DESTROYED'
}

async function takeOutput(stream: AsyncIterable<Buffer>, onOutput: GitCall['onOutput']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    if (onOutput) {
      await onOutput(chunk)
      continue
    }
    size += chunk.length
    if (size > MAX_OUTPUT_BYTES) throw new Error(`more than ${MAX_OUTPUT_BYTES} bytes of output`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function failureToRun(call: GitCall, error: Error) {
  const missing = 'code' in error && error.code === 'ENOENT'
  // Where the folder is missing in which it should run, the same is said of the program.
  if (missing && existsSync(call.cwd))
    return refuse('not_available', 'git could not be started. Install git 2.38 or newer and try again.')
  if (isDiskFull(error.message)) return diskFull(call, error.message)
  const reason = missing ? `the folder ${call.cwd} is missing` : error.message
  return refuse('sandbox_failed', `git ${call.args[0]} failed: ${reason}.`, { args: call.args })
}

function gitFailure(call: GitCall, { code, stderr }: GitOutput) {
  if (isDiskFull(stderr)) return diskFull(call, stderr)
  const reason = stderr.trim() || `exit code ${code}`
  return refuse('sandbox_failed', `git ${call.args[0]} failed: ${reason}`, { args: call.args, code })
}

function diskFull(call: GitCall, detail: string) {
  return refuse(
    'disk_full',
    `The disk is full: git ${call.args[0]} could not write. Free some space and try again.`,
    {
      args: call.args,
      detail: detail.trim(),
    },
  )
}

export function isDiskFull(text: string): boolean {
  return /No space left on device|Out of diskspace|ENOSPC|Disk quota exceeded|EDQUOT/.test(text)
}
