import { ok, type Result, refuse } from '../../domain/failure.ts'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { RestoreReport, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PresentTree } from './present-tree.ts'
import type { PrivateStore } from './store/private-store.ts'
import { snapshotExactly, snapshotFolder, type WorkFolder } from './store/snapshot.ts'
import { treeOf } from './store/states.ts'
import { diffTrees, type TreeChange } from './store/tree-diff.ts'
import { executeWrites } from './writes/execute.ts'
import { prepareWrites } from './writes/prepare.ts'

/** Returns a folder to a recorded state by writing only what differs from it now, then checks that it is that state. */
export async function restoreState(
  store: PrivateStore,
  { folder, present: known }: { folder: WorkFolder; present: PresentTree },
  state: SandboxState,
  signal: AbortSignal,
): Promise<Result<RestoreReport>> {
  known.tree = null
  const wanted = await treeOf(store, state)
  if (!wanted.ok) return wanted
  const present = await snapshotFolder(store, folder, signal)
  if (!present.ok) return present
  const changes = await diffTrees(store, present.value.tree, wanted.value)
  if (!changes.ok) return changes
  const written = await writeAll(store, folder, changes.value, signal)
  if (!written.ok) return written
  const verified = await verify(store, folder, changes.value, wanted.value)
  if (!verified.ok) return verified
  Object.assign(known, { tree: wanted.value, isIndexBehind: false })
  return ok(report(changes.value))
}

async function writeAll(
  store: PrivateStore,
  folder: WorkFolder,
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const prepared = await prepareWrites(store, folder.workTree, { changes, obstacles: 'move_aside' }, signal)
  if (!prepared.ok) return prepared
  if (prepared.value.outcome === 'ready') return executeWrites(prepared.value.prepared)
  const reasons = prepared.value.conflicts.map(conflict => conflict.reason)
  return refuse(
    'sandbox_failed',
    `The sandbox was not restored; nothing in it was changed. ${reasons.join(' ')}`,
    {
      conflicts: prepared.value.conflicts,
    },
  )
}

// Everything else was read a moment ago; only what was written has to be read again.
async function verify(
  store: PrivateStore,
  folder: WorkFolder,
  changes: readonly TreeChange[],
  wanted: string,
): Promise<Result<void>> {
  if (changes.length === 0) return ok()
  const after = await snapshotExactly(
    store,
    folder,
    changes.map(change => change.path),
  )
  if (!after.ok) return after
  if (after.value.tree === wanted) return ok()
  return refuse(
    'sandbox_failed',
    'Something else wrote in the sandbox while it was being restored. Stop it and try again.',
  )
}

function report(changes: readonly TreeChange[]): RestoreReport {
  const paths = (some: readonly TreeChange[]) =>
    some.map(change => relPathFromBytes(change.path)).flatMap(path => (path.ok ? [path.value] : []))
  return {
    restored: paths(changes.filter(change => change.new !== null)),
    removed: paths(changes.filter(change => change.new === null)),
  }
}
