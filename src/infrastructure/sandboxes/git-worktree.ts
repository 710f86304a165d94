import type { SandboxStrategy } from '../../domain/sandbox/strategy.ts'
import { createChild } from './child/create-child.ts'
import { createSandbox } from './create-sandbox.ts'
import { folderStrategy, ownFolder, type StrategyAccess } from './folder-strategy.ts'
import { checkRepository } from './store/project-repository.ts'

/** For projects that are git repositories: a folder of its own beside a private store of states. */
export function gitWorktree(access: StrategyAccess): SandboxStrategy {
  return folderStrategy(access, {
    name: 'git_worktree',
    protects: [
      'Your files stay as they are until you approve Apply, and Apply merges around what you changed meanwhile.',
      'Your branches, index, stash, hooks and settings are never touched.',
      'Every checkpoint can be returned to exactly.',
    ],
    doesNotProtect: [
      'Commands that reach outside the sandbox folder, unless they run confined.',
      'Dependency folders and other ignored files are copies, and are not part of checkpoints.',
      'Files above the limit of big files are in no checkpoint. When the plan wrote to one, Apply stops and says so.',
      'Repositories inside the project and submodules are left out.',
    ],
    ...ownFolder,
    restores: 'always',
    place: 'beside',
    async unavailable({ projectRoot }, signal) {
      const project = await checkRepository(access, projectRoot, signal)
      return project.ok ? null : { reason: project.failure.message, nextBest: 'filesystem_copy' }
    },
    create: (folder, spec, signal) => createSandbox(access, folder, spec, signal),
    createChild: (folder, spec, signal) => createChild(access, folder, spec, signal),
  })
}
