import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RelPath } from '../../src/domain/sandbox/rel-path.ts'
import type {
  MergeSource,
  SandboxSpec,
  SandboxState,
  SandboxStrategyName,
} from '../../src/domain/sandbox/strategy.ts'
import { bundledCompileCache, bundledProgram } from './bundled-program.ts'

export interface ChildSettings {
  readonly stateDir: string
  readonly strategy: SandboxStrategyName
  readonly spec: SandboxSpec
  readonly environment: Record<string, string>
}

export type ChildStep =
  | { readonly do: 'open' | 'release' | 'discard' }
  | { readonly do: 'checkpoint'; readonly label: string; readonly written: readonly RelPath[] | 'unknown' }
  | { readonly do: 'restore' | 'drift'; readonly state: SandboxState }
  | { readonly do: 'changes' | 'apply'; readonly from: SandboxState; readonly to: SandboxState }
  | { readonly do: 'merge'; readonly source: MergeSource }

export interface SandboxProcess {
  readonly pid: number
  /** The answer as JSON; null when the process died at the change it was told to die at. */
  perform(step: ChildStep, dieAfter?: number): Promise<Performed | null>
  kill(): Promise<void>
}

export interface Performed {
  readonly answer: unknown
  /** How many times it changed something on the disk or started a program. */
  readonly changes: number
}

/** A process of its own over a plan's sandbox. It does not outlive the test. */
export async function startSandboxProcess(
  settings: ChildSettings,
  /** Another user to run as, and what stands before the command. */
  { uid, prefix = [] }: { readonly uid?: number; readonly prefix?: readonly string[] } = {},
): Promise<SandboxProcess> {
  const command = [process.execPath, await bundledProgram(file), JSON.stringify(settings)]
  const [program = process.execPath, ...args] = [...prefix, ...command]
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...settings.environment, ...bundledCompileCache },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  await answerOf(child, ended)
  return {
    pid: child.pid ?? 0,
    async perform(step, dieAfter) {
      child.send({ step, dieAfter: dieAfter ?? null })
      return answerOf(child, ended)
    },
    kill,
  }
}

const file = join(import.meta.dirname, 'fixtures/sandbox-child.ts')

async function answerOf(child: ChildProcess, ended: Promise<unknown>): Promise<Performed | null> {
  const message = once(child, 'message').then(([answer]): Performed => answer)
  return Promise.race([message, ended.then(() => null)])
}

/** Gives a folder to another user, with everything in it. */
export async function giveTo(uid: number, folder: string): Promise<void> {
  await chown(folder, uid, uid)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, uid)
}
