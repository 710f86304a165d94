import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Result } from '../../src/domain/failure.ts'
import type { ApplyReport, ApplyStep } from '../../src/domain/sandbox/strategy.ts'
import type { ApplyJob } from './apply-child.ts'

export type ApplyRun =
  | { readonly ended: 'killed' }
  | { readonly ended: 'by itself'; readonly steps: ApplyStep['did'][]; readonly report: Result<ApplyReport> }

/** Runs a job in a process of its own. */
export async function runApply(job: ApplyJob): Promise<ApplyRun> {
  const child = spawn(process.execPath, ['test/support/apply-child.ts', JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const [code, signal] = await once(child, 'close')
  const [stdout, stderr] = await output
  if (signal === 'SIGKILL') return { ended: 'killed' }
  if (code !== 0) throw new Error(stderr)
  return { ended: 'by itself', ...JSON.parse(stdout) }
}
