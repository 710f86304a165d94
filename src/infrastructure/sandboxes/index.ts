/**
 * The sandbox strategies, one a file, by name. `store/` holds the private git directory they share, `writes/` the one
 * way files are put in place. Nothing here knows plans, decisions or gates. Begin with git-worktree.ts.
 */
import type { Host, Sandboxes } from '../../application/ports.ts'
import { ok, refuse } from '../../domain/failure.ts'
import type { SandboxStrategy, SandboxStrategyName } from '../../domain/sandbox/strategy.ts'
import { createGit } from '../git/git.ts'
import { filesystemCopy } from './filesystem-copy.ts'
import { gitWorktree } from './git-worktree.ts'

export interface SandboxSettings {
  /** Where sandboxes and their states are kept: never inside a project. */
  readonly stateDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly host: Pick<Host, 'process' | 'isAlive'>
}

export function createSandboxes({ stateDir, environment, host }: SandboxSettings): Sandboxes {
  const access = { stateDir, environment, host, git: createGit(environment) }
  const strategies: Partial<Record<SandboxStrategyName, SandboxStrategy>> = {
    git_worktree: gitWorktree(access),
    filesystem_copy: filesystemCopy(access),
  }
  return {
    strategy: name => {
      const strategy = strategies[name]
      return strategy
        ? ok(strategy)
        : refuse('not_available', `The sandbox ${name} is not available yet.`, { name })
    },
  }
}
