import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiagnosticCheck } from '../../application/ports/machine.ts'
import type { Sandboxes } from '../../application/ports/sandbox.ts'
import { asId, type PlanId } from '../../domain/ids.ts'
import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import { canShareBlocks } from '../sandboxes/bring-along.ts'

export interface SandboxSurroundings {
  readonly dataDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly sandboxes: Sandboxes
  readonly isKnownPlan: (planId: PlanId) => boolean
}

/** Which sandboxes can be had for a folder, how cheap its copies are, and what ended programs left behind. */
export async function sandboxChecks(
  { dataDir, environment, sandboxes, isKnownPlan }: SandboxSurroundings,
  projectRoot: string | null,
): Promise<DiagnosticCheck[]> {
  const strategies = projectRoot === null ? [] : sandboxes.list()
  return [
    ...(await Promise.all(strategies.map(strategy => strategyCheck(strategy, projectRoot ?? '')))),
    await reflinkCheck(dataDir, environment),
    leftoverCheck(await sandboxes.listUnknown(isKnownPlan)),
  ]
}

/** No plan has this id: it only stands for the one that would be made. */
const trial = asId<PlanId>('00000000000000000000000000')

async function strategyCheck(strategy: SandboxStrategy, projectRoot: string): Promise<DiagnosticCheck> {
  const found = await strategy.unavailable({ planId: trial, projectRoot }, AbortSignal.timeout(10_000))
  const check = { name: `sandbox ${strategy.name}`, status: 'info' } as const
  if (found === null) return { ...check, message: 'can be had for this folder', remedy: null }
  const remedy = found.nextBest && `What comes nearest: --sandbox ${found.nextBest}`
  return { ...check, message: `cannot be had: ${found.reason}`, remedy }
}

async function reflinkCheck(
  dataDir: string,
  environment: SandboxSurroundings['environment'],
): Promise<DiagnosticCheck> {
  const check = { name: 'copies', status: 'info', remedy: null } as const
  try {
    const trialFolder = await mkdtemp(join(dataDir, '.trial-'))
    try {
      const [from, to] = [join(trialFolder, 'from'), join(trialFolder, 'to')]
      await mkdir(from)
      await mkdir(to)
      const isCheap = await canShareBlocks({ from, to, environment: { ...environment } })
      const how = isCheap ? 'share blocks with the original' : 'take their full size'
      return { ...check, message: `in the data folder they ${how}` }
    } finally {
      await rm(trialFolder, { recursive: true, force: true })
    }
  } catch {
    return { ...check, message: 'the data folder cannot be written, so nobody knows' }
  }
}

function leftoverCheck(folders: readonly string[]): DiagnosticCheck {
  if (folders.length === 0)
    return { name: 'leftovers', status: 'ok', message: 'every plan folder belongs to a plan', remedy: null }
  return {
    name: 'leftovers',
    status: 'warn',
    message: `${folders.length} plan folders belong to no plan: ${folders.slice(0, 3).join(', ')}${folders.length > 3 ? ', ...' : ''}`,
    remedy: 'Look whether work is in them that you miss, then delete them by hand.',
  }
}
