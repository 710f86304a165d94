/**
 * The sandbox of a child plan: made from a state in the store of its parent's, not from the user's tree. The parent goes
 * on working meanwhile, and afterwards nothing of the one is needed by the other. Nothing is ever asked of the parent's
 * folder but which files are in it: a repository there may be anybody's. Begin with create-child.ts.
 */
import { existsSync } from 'node:fs'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { SandboxState } from '../../../domain/sandbox/strategy.ts'
import type { Git } from '../../git/git.ts'
import type { BigFile } from '../copy/big-files.ts'
import type { PlanFolder } from '../store/plan-folder.ts'
import { openStore, type PrivateStore } from '../store/private-store.ts'
import { treeOf } from '../store/states.ts'

/** The sandbox in which a child begins, as it lies there. */
export interface Parent {
  readonly folder: PlanFolder
  readonly state: SandboxState
  /** Files in the parent's folder that are in no state of it for their size. */
  readonly bigFiles: readonly BigFile[]
  /** What an overlay of the parent takes the user's folder for. */
  readonly lower: SandboxState | null
}

/** The parent's store, only to be read, and the tree of the state in it. */
export async function openParent(
  git: Git,
  { folder, state }: Parent,
): Promise<Result<{ readonly store: PrivateStore; readonly tree: string }>> {
  if (!existsSync(folder.store))
    return refuse(
      'not_found',
      'The recorded states of the parent plan are gone, so no child can begin there.',
    )
  const store = openStore(git, folder)
  const tree = await treeOf(store, state)
  return tree.ok ? ok({ store, tree: tree.value }) : tree
}
