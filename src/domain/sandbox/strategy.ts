/**
 * What any sandbox strategy must promise. It never touches the user's tree before apply; closing twice is fine;
 * everything is addressed explicitly, nothing is discovered from inside the sandbox. Begin with `SandboxStrategy`.
 */

import type { Result } from '../failure.ts'
import type { PlanId } from '../ids.ts'
import type { ChangeSet } from './changeset.ts'
import type { RelPath } from './rel-path.ts'

export type SandboxStrategyName =
  | 'git_worktree'
  | 'filesystem_copy'
  | 'overlay'
  | 'transaction_rollback'
  | 'none'

export interface SandboxStrategy {
  readonly name: SandboxStrategyName
  /** Plain sentences shown to the user. */
  readonly protects: readonly string[]
  readonly doesNotProtect: readonly string[]
  /** Opens the plan's sandbox, creating it from the project's present tree the first time. Idempotent per plan. */
  open(spec: SandboxSpec, signal: AbortSignal): Promise<Result<Sandbox>>
  /** Removes the working folder of an ended plan; its recorded states stay readable. Nothing can be done in it again. */
  release(planId: PlanId): Promise<void>
  /** Removes everything of a plan. */
  discard(planId: PlanId): Promise<void>
}

export interface SandboxSpec {
  readonly planId: PlanId
  /** Absolute path of the project's root folder. */
  readonly projectRoot: string
}

/** A state of the sandbox that can be returned to: a commit in the plan's private store. */
export type SandboxState = string & { readonly sandboxState: true }

export interface Sandbox {
  readonly strategy: SandboxStrategyName
  /** Absolute path of the folder in which tools and commands work. */
  readonly root: string
  /** The state captured when the plan started: the merge base of apply. */
  readonly baseline: SandboxState
  /** What a person should know, e.g. "node_modules was brought along by copy", "merge in progress". */
  readonly notices: readonly string[]
  /**
   * Records the present state and verifies that it was written whole. `written` names the paths touched since the
   * last checkpoint; `'unknown'` (after a command) scans.
   */
  checkpoint(label: string, written: readonly RelPath[] | 'unknown'): Promise<Result<SandboxState>>
  /** Returns the sandbox to a state, writing only files that differ; all or nothing. */
  restore(state: SandboxState): Promise<Result<RestoreReport>>
  /** The files that differ between two recorded states. */
  changes(from: SandboxState, to: SandboxState): Promise<Result<ChangeSet>>
  /** Unified diff with full index lines and binary patches, as `git apply` accepts it. Bytes: files have no encoding. */
  patch(from: SandboxState, to: SandboxState, only?: readonly RelPath[]): Promise<Result<Uint8Array>>
  /**
   * Merges baseline..state into the user's tree as it is now (three-way). Nothing is written when a path conflicts.
   * Never touches the user's index, HEAD, branches, stash or untouched files.
   */
  apply(state: SandboxState, options: ApplyOptions, signal: AbortSignal): Promise<Result<ApplyReport>>
  /** Ends what is held open (processes, locks). The state on disk stays. */
  close(): Promise<void>
}

export interface RestoreReport {
  readonly restored: readonly RelPath[]
  readonly removed: readonly RelPath[]
}

export interface ApplyOptions {
  /** Apply only these paths; the rest stays in the plan's remaining diff. */
  readonly only: readonly RelPath[] | null
}

export type ApplyReport =
  | {
      readonly outcome: 'applied'
      readonly written: readonly RelPath[]
      readonly unchanged: readonly RelPath[]
    }
  | { readonly outcome: 'constrained'; readonly conflicts: readonly ApplyConflict[] }

export interface ApplyConflict {
  readonly path: RelPath
  readonly kind:
    | 'content'
    | 'binary'
    | 'modify_delete'
    | 'rename'
    | 'file_directory'
    | 'foreign'
    | 'unsafe_parent'
  /** One sentence for people. */
  readonly reason: string
}
