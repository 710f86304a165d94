/**
 * Runs one command to its end and leaves nothing behind: it gets a process group of its own, and whatever is left of
 * the group when the command ends, is stopped, or loses its owner, is killed. Begin with `runProcess`.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import { type CapturedOutput, captureOutput } from './capture-output.ts'
import { type KeptOutput, keepOutput } from './keep-output.ts'
import { killMarked } from './kill-marked.ts'
import { supervised } from './supervised.ts'

export interface ProcessSpec {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  /** The whole environment; nothing of our own is inherited. See command-environment.ts. */
  readonly environment: Readonly<Record<string, string>>
  /** Run as this user; only root can ask for it. */
  readonly user?: ProcessUser
  readonly timeoutMs: number
  /** Time between the polite signal and the final one. */
  readonly graceMs?: number
  readonly signal: AbortSignal
  /** Where both streams are kept, interleaved as they came. The file is made with the first byte. */
  readonly outputFile: string
  readonly maxFileBytes?: number
  readonly onOutput?: (text: string, stream: 'stdout' | 'stderr') => void
}

export interface ProcessUser {
  readonly uid: number
  readonly gid: number
}

export interface ProcessReport {
  readonly end: ProcessEnd
  readonly stdout: CapturedOutput
  readonly stderr: CapturedOutput
  readonly kept: KeptOutput
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'aborted' }

export async function runProcess(spec: ProcessSpec): Promise<ProcessReport> {
  const stdout = captureOutput()
  const stderr = captureOutput()
  const file = keepOutput(spec.outputFile, spec.maxFileBytes ?? 64 * 1024 * 1024)
  const report = (end: ProcessEnd) => ({
    end,
    stdout: stdout.end(),
    stderr: stderr.end(),
    kept: file.close(),
  })
  if (spec.signal.aborted) return report({ kind: 'aborted' })
  const mark = randomBytes(12).toString('hex')
  const child = start(spec, mark)
  for (const [name, capture] of [['stdout', stdout] as const, ['stderr', stderr] as const]) {
    const decoder = new StringDecoder('utf8')
    child[name]?.on('data', (chunk: Buffer) => {
      capture.add(chunk)
      file.add(chunk)
      spec.onOutput?.(decoder.write(chunk), name)
    })
  }
  const ended = await waitForEnd(child, spec)
  await clearUp(child, mark)
  return report(ended)
}

function start(spec: ProcessSpec, mark: string): ChildProcess {
  const [program, ...rest] = supervised(spec.argv, mark)
  return spawn(program, rest, {
    cwd: spec.cwd,
    env: spec.environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    ...(spec.user && { uid: spec.user.uid, gid: spec.user.gid }),
  })
}

function waitForEnd(child: ChildProcess, spec: ProcessSpec): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    let stopped: ProcessEnd | null = null
    let killing: NodeJS.Timeout | undefined
    const stop = (reason: ProcessEnd) => {
      stopped ??= reason
      signalGroup(child, 'SIGTERM')
      killing ??= setTimeout(() => signalGroup(child, 'SIGKILL'), spec.graceMs ?? 500)
    }
    const abort = () => stop({ kind: 'aborted' })
    const timeout = setTimeout(() => stop({ kind: 'timed_out' }), spec.timeoutMs)
    const settle = () => {
      clearTimeout(timeout)
      clearTimeout(killing)
      spec.signal.removeEventListener('abort', abort)
    }
    spec.signal.addEventListener('abort', abort, { once: true })
    child.once('error', error => {
      settle()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      settle()
      resolve(stopped ?? (signal ? { kind: 'signalled', signal } : { kind: 'exited', code: code ?? 0 }))
    })
  })
}

/** The supervisor keeps the group's number from being given away until this kill ends it, too. */
async function clearUp(child: ChildProcess, mark: string): Promise<void> {
  const closed = new Promise(resolve => child.once('close', resolve))
  signalGroup(child, 'SIGKILL')
  await killMarked(mark)
  const lifeline = child.stdio[3]
  lifeline?.destroy()
  // A process that got away may hold the pipes open; what the command itself wrote has been read long before this.
  await Promise.race([closed, delay(1000, undefined, { ref: false })])
  child.stdout?.destroy()
  child.stderr?.destroy()
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
