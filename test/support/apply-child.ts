/**
 * A process that applies a plan, or settles its interrupted apply, and sends itself a signal after the step of a given
 * number. Run by `apply-process.ts`; the job is the first argument. Without a number it goes to the end.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { asId, type PlanId } from '../../src/domain/ids.ts'
import type { Resource } from '../../src/domain/resource.ts'
import type { ApplyStep, SandboxState } from '../../src/domain/sandbox/strategy.ts'
import { createSandboxes } from '../../src/infrastructure/sandboxes/index.ts'
import { createHost } from '../../src/infrastructure/system/host.ts'
import { snapshotFolder } from './folder-snapshot.ts'

export interface ApplyJob {
  readonly stateDir: string
  readonly environment: Record<string, string>
  readonly planId: string
  readonly projectRoot: string
  /** Databases that belong to the plan as well. */
  readonly resources?: readonly Resource[]
  readonly way: 'apply' | 'finish' | 'undo'
  readonly to: string
  readonly stopAfter: number | null
  /** What lies on the disk after each of these steps is copied: it is what a kill at that moment would leave. */
  readonly images?: { readonly of: string; readonly into: string; readonly after: readonly number[] }
  /** What stops it: for good, or until it is told to go on. */
  readonly signal: 'SIGKILL' | 'SIGSTOP'
}

const job: ApplyJob = JSON.parse(process.argv[2] ?? '')
const steps: ApplyStep['did'][] = []
const never = new AbortController().signal

function onStep({ did }: ApplyStep): void {
  steps.push(did)
  const { images } = job
  if (images?.after.includes(steps.length))
    execFileSync('cp', ['-a', images.of, join(images.into, String(steps.length))])
  if (steps.length === job.stopAfter) process.kill(process.pid, job.signal)
}

const host = createHost({ pid: process.pid, dataDir: job.stateDir })
const sandboxes = createSandboxes({ stateDir: job.stateDir, environment: job.environment, host })
const strategy = sandboxes.strategy('git_worktree', job.resources ?? [])
if (!strategy.ok) throw new Error(strategy.failure.message)
const spec = { planId: asId<PlanId>(job.planId), projectRoot: job.projectRoot }
const sandbox = await strategy.value.open(spec, never)
if (!sandbox.ok) throw new Error(sandbox.failure.message)
const request = {
  from: sandbox.value.baseline,
  to: job.to as SandboxState,
  choice: { kind: 'all' },
} as const
const report =
  job.way === 'apply'
    ? await sandbox.value.apply(request, never, { onStep })
    : await sandbox.value.settleApply(job.way, never, { onStep })
const files = await snapshotFolder(job.projectRoot, { times: 'ignored' })
process.stdout.write(JSON.stringify({ steps, report, files }))
