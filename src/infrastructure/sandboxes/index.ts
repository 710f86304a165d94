/**
 * The sandbox strategies, one a file, by name. `store/` holds the private git directory they share, `writes/` the one
 * way files are put in place. Nothing here knows plans, decisions or gates. Begin with git-worktree.ts.
 */
import type { SandboxStrategy, SandboxStrategyName } from '../../domain/sandbox/strategy.ts'
import { createGit } from '../git/git.ts'
import { gitWorktree } from './git-worktree.ts'

export interface SandboxSettings {
  /** Where sandboxes and their states are kept: never inside a project. */
  readonly stateDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type Sandboxes = Readonly<Partial<Record<SandboxStrategyName, SandboxStrategy>>>

export function createSandboxes({ stateDir, environment }: SandboxSettings): Sandboxes {
  const access = { stateDir, environment, git: createGit(environment) }
  return { git_worktree: gitWorktree(access) }
}
