/**
 * The sandbox strategies, one a file, by name. `store/` holds the private git directory they share, `writes/` how files
 * are put in place, `journal/` how that survives a crash when it happens in the user's folder, `group/` joins a folder
 * with the databases of its plan. Nothing here knows plans, decisions or gates. Begin with git-worktree.ts.
 */
import type { Host } from '../../application/ports/machine.ts'
import type { Sandboxes } from '../../application/ports/sandbox.ts'
import { ok, refuse } from '../../domain/failure.ts'
import { suggest } from '../../domain/nearest.ts'
import type { SandboxStrategyName } from '../../domain/sandbox/strategy.ts'
import { createGit } from '../git/git.ts'
import type { BringLimits } from './bring-limits.ts'
import { filesystemCopy } from './filesystem-copy.ts'
import { isHalfMade } from './folder-strategy.ts'
import { gitWorktree } from './git-worktree.ts'
import { sandboxGroup } from './group/sandbox-group.ts'
import { inPlace } from './none.ts'
import { overlay } from './overlay.ts'
import { planFolder } from './store/plan-folder.ts'
import { listUnknown, sweep } from './sweep.ts'
import { transactionRollback } from './transaction-rollback.ts'

export interface SandboxSettings {
  /** Where sandboxes and their states are kept: never inside a project. */
  readonly stateDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly host: Pick<Host, 'process' | 'isAlive'>
  /** Files above this are in no state of a sandbox. */
  readonly bigFileBytes?: () => number
  /** A dependency folder above these is left out of a sandbox. */
  readonly bringLimits?: () => BringLimits
}

const BIG_FILE_BYTES = 100_000_000
const BRING_LIMITS: BringLimits = { bytes: 2_000_000_000, files: 300_000 }

export function createSandboxes(settings: SandboxSettings): Sandboxes {
  const { stateDir, environment } = settings
  const access = {
    bigFileBytes: () => BIG_FILE_BYTES,
    bringLimits: () => BRING_LIMITS,
    ...settings,
    git: createGit(environment),
  }
  const strategies = [gitWorktree(access), filesystemCopy(access), overlay(access), inPlace(access)]
  const databases = { stateDir, environment, host: settings.host, transactions: new Map() }
  const names = strategies.map(strategy => strategy.name)
  return {
    list: () => strategies,
    sweep: isKnown => sweep(access, isKnown),
    listUnknown: isKnown => listUnknown(stateDir, isKnown),
    strategy: (name, resources = []) => {
      const found = strategies.find(strategy => strategy.name === name)
      if (found && resources.length > 0)
        return ok(
          sandboxGroup(
            stateDir,
            found,
            resources.map(resource => transactionRollback(databases, resource)),
          ),
        )
      if (found) return ok(found)
      if (name === ofDatabases) return refuseForFiles()
      return refuse('invalid_input', `There is no sandbox called ${name}. ${suggest(name, names)}`, { name })
    },
    isRecorded: planId => !isHalfMade(planFolder(stateDir, planId, '')),
    forResource: resource => transactionRollback(databases, resource),
  }
}

const ofDatabases: SandboxStrategyName = 'transaction_rollback'

function refuseForFiles() {
  return refuse(
    'invalid_input',
    `The sandbox ${ofDatabases} is for databases, and a plan's files need another. Register a database with agents resource add NAME ... --mode transaction, and leave --sandbox out.`,
    { name: ofDatabases },
  )
}
