import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Result } from '../../src/domain/failure.ts'
import type { ApplyReport, ApplyStep } from '../../src/domain/sandbox/strategy.ts'
import type { ApplyJob } from './apply-child.ts'
import { bundledCompileCache, bundledProgram } from './bundled-program.ts'
import { waitFor } from './wait-for.ts'

export type ApplyRun =
  | { readonly ended: 'killed' }
  | {
      readonly ended: 'by itself'
      readonly steps: ApplyStep['did'][]
      readonly report: Result<ApplyReport>
      /** The project as that process saw it. */
      readonly files: Record<string, string>
    }

const program = await bundledProgram(join(import.meta.dirname, 'apply-child.ts'))

/** Runs a job in a process of its own, by a command before it where that is given. */
export function startApply(job: ApplyJob, before: readonly string[] = []) {
  const argv = [...before, process.execPath, program, JSON.stringify(job)]
  const child = spawn(argv[0] ?? '', argv.slice(1), {
    env: { ...process.env, ...bundledCompileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = async (): Promise<ApplyRun> => {
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const [code, signal] = await once(child, 'close')
    const [stdout, stderr] = await output
    if (signal === 'SIGKILL') return { ended: 'killed' }
    if (code !== 0) throw new Error(stderr)
    return { ended: 'by itself', ...JSON.parse(stdout) }
  }
  return { pid: child.pid ?? 0, ended: ended(), goOn: () => child.kill('SIGCONT') }
}

/** Resolves once a process has stopped itself. */
export async function stopped(pid: number): Promise<void> {
  await waitFor(async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
  })
}
