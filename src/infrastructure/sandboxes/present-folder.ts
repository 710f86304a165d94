import type { Result } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { SandboxEntry } from '../../domain/sandbox/strategy.ts'
import type { Snapshot } from './store/snapshot.ts'
import type { TreeChange } from './store/tree-diff.ts'

/**
 * The folder in which a plan works, as it is now. What its tree is, and how that is found out, is what tells one kind of
 * folder from another; checkpoint, restore, preview and drift are the same for all.
 */
export interface PresentFolder {
  /** Absolute path under which files are read and written once it was entered. */
  readonly root: string
  enter(): Promise<Result<SandboxEntry | null>>
  /** The tree for a checkpoint, by the cheapest way that is right; `before` is the tree that was recorded last. */
  take(
    written: readonly RelPath[] | 'unknown',
    before: string,
    signal: AbortSignal,
  ): Promise<Result<Snapshot>>
  /** The tree after a look at everything, before it is written to. */
  look(signal: AbortSignal): Promise<Result<Snapshot>>
  /** What those changes will really meet, where that can be something else than the tree says. */
  asFound(changes: readonly TreeChange[]): Promise<readonly TreeChange[]>
  /** The tree after nothing but these changes was written since the last look, without what is unrecorded by them. */
  lookAgain(
    changes: readonly TreeChange[],
    signal: AbortSignal,
    unrecorded?: readonly TreeChange[],
  ): Promise<Result<Snapshot>>
  /** A restore to this tree ended well; `kept` is where the folder still differs from it. */
  settle(tree: string, kept: readonly TreeChange[]): Promise<Result<unknown>>
  /** Where it differs from a tree by content, apart from some paths; these are spelled as latin1. */
  differences(tree: string, except: ReadonlySet<string>, signal: AbortSignal): Promise<Result<TreeChange[]>>
  /** What is in it and part of no tree. */
  ignored(signal: AbortSignal): Promise<Result<readonly IgnoredPlace[]>>
  /** The project was written to by an apply: where it shows through, what was entered is entered anew. */
  projectChanged(): Promise<void>
  /** Ends what entering began. */
  leave(): Promise<void>
}

export interface IgnoredPlace {
  readonly path: Buffer
  /** Where its times can be read. */
  readonly place: Buffer
}
