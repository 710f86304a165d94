import { existsSync, realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { refuse } from '../../domain/failure.ts'
import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import { createCopy } from './copy/create-copy.ts'
import { folderStrategy, type StrategyAccess } from './folder-strategy.ts'

/** For any folder, whether or not git knows it: a copy of it beside a private store of states. */
export function filesystemCopy(access: StrategyAccess): SandboxStrategy {
  return folderStrategy(access, {
    name: 'filesystem_copy',
    protects: [
      'Your files stay as they are until you approve Apply, and Apply merges around what you changed meanwhile.',
      'Works on any folder. Where it is a git repository, that is never touched.',
      'Every checkpoint can be returned to exactly.',
    ],
    doesNotProtect: [
      'Commands that reach outside the sandbox folder, unless they run confined.',
      'Dependency folders and other ignored files are copies, and are not part of checkpoints.',
      'Repositories inside the project and submodules are left out, and so are pipes, sockets and devices.',
    ],
    restores: 'always',
    unavailable: ({ projectRoot }) => Promise.resolve(reasonAgainst(access, projectRoot)),
    create: async (folder, projectRoot, signal) => {
      const against = reasonAgainst(access, projectRoot)
      if (against) return refuse('not_available', against.reason, { projectRoot })
      return createCopy(access, folder, projectRoot, signal)
    },
  })
}

function reasonAgainst({ stateDir }: StrategyAccess, projectRoot: string) {
  if (!existsSync(projectRoot))
    return { reason: `There is no folder ${projectRoot}; the project must be there.`, nextBest: null }
  if (!isWithin(stateDir, projectRoot)) return null
  return {
    reason: `${projectRoot} holds the data folder of this program, which would copy itself. Start the plan in a folder below, or choose another data folder with --data-dir.`,
    nextBest: null,
  }
}

function isWithin(path: string, folder: string): boolean {
  if (!existsSync(path)) return false
  const way = relative(realpathSync(folder), realpathSync(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}
