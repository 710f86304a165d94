import { refuse } from '../../domain/failure.ts'
import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import { createChild } from './child/create-child.ts'
import { createCopy } from './copy/create-copy.ts'
import { reasonAgainst } from './copy/own-data.ts'
import { folderStrategy, ownFolder, type StrategyAccess } from './folder-strategy.ts'

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
      'Files above the limit of big files are in no checkpoint. When the plan wrote to one, Apply stops and says so.',
      'Repositories inside the project and submodules are left out, and so are pipes, sockets and devices.',
    ],
    ...ownFolder,
    restores: 'always',
    place: 'beside',
    unavailable: ({ projectRoot }) => Promise.resolve(reasonAgainst(access.stateDir, projectRoot)),
    create: async (folder, spec, signal) => {
      const { projectRoot } = spec
      const against = reasonAgainst(access.stateDir, projectRoot)
      if (against) return refuse('not_available', against.reason, { projectRoot })
      return createCopy(access, folder, spec, signal)
    },
    createChild: (folder, spec, signal) => createChild(access, folder, spec, signal),
  })
}
