import { existsSync, realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { Unavailable } from '../../../domain/sandbox/strategy.ts'

/** Why a plan cannot read this whole folder; null when it can. */
export function reasonAgainst(stateDir: string, projectRoot: string): Unavailable | null {
  if (!existsSync(projectRoot))
    return { reason: `There is no folder ${projectRoot}; the project must be there.`, nextBest: null }
  if (!isWithin(stateDir, projectRoot)) return null
  return {
    reason: `${projectRoot} holds the data folder of this program, which would take in itself. Start the plan in a folder below, or choose another data folder with --data-dir.`,
    nextBest: null,
  }
}

function isWithin(path: string, folder: string): boolean {
  if (!existsSync(path)) return false
  const way = relative(realpathSync(folder), realpathSync(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}
