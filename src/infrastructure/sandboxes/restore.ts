import { ok, type Result, refuse } from '../../domain/failure.ts'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { RestoreReport, RestoreScope, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PresentTree } from './present-tree.ts'
import { byScope, type RestoreChanges, restoreChanges } from './restore-changes.ts'
import type { PrivateStore } from './store/private-store.ts'
import { snapshotExactly, type WorkFolder } from './store/snapshot.ts'
import { diffTrees, indexLine, type TreeChange } from './store/tree-diff.ts'
import { executeWrites } from './writes/execute.ts'
import { prepareWrites } from './writes/prepare.ts'

/** Returns a folder to a recorded state by writing only what differs from it now, then checks that it is that state. */
export async function restoreState(
  store: PrivateStore,
  { folder, present: known }: { folder: WorkFolder; present: PresentTree },
  asked: { readonly state: SandboxState; readonly scope: RestoreScope },
  signal: AbortSignal,
): Promise<Result<RestoreReport>> {
  known.tree = null
  const found = await restoreChanges(store, folder, asked, signal)
  if (!found.ok) return found
  const written = await writeAll(store, folder, found.value.changes, signal)
  if (!written.ok) return written
  const verified = await verify(store, folder, found.value, asked.scope)
  if (!verified.ok) return verified
  const forgotten = await forgetInIndex(store, folder, found.value.kept)
  if (!forgotten.ok) return forgotten
  Object.assign(known, { tree: found.value.wanted, isIndexBehind: false })
  return ok(report(found.value.changes))
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
  { changes, wanted }: RestoreChanges,
  scope: RestoreScope,
): Promise<Result<void>> {
  if (changes.length === 0) return ok()
  const after = await snapshotExactly(
    store,
    folder,
    changes.map(change => change.path),
  )
  if (!after.ok) return after
  if (after.value.tree === wanted) return ok()
  const rest = scope.kind === 'all' ? null : await diffTrees(store, after.value.tree, wanted)
  if (rest && !rest.ok) return rest
  if (rest?.ok && byScope(rest.value, scope).changes.length === 0) return ok()
  return refuse(
    'sandbox_failed',
    'Something else wrote in the sandbox while it was being restored. Stop it and try again.',
  )
}

/** What was left as it is must not count as recorded: it is looked at again by whoever looks for drift. */
async function forgetInIndex(
  store: PrivateStore,
  { index }: WorkFolder,
  kept: readonly TreeChange[],
): Promise<Result<unknown>> {
  if (kept.length === 0) return ok()
  const stdin = Buffer.concat(kept.map(indexLine))
  return store.run({ index, args: ['update-index', '-z', '--index-info'], stdin })
}

function report(changes: readonly TreeChange[]): RestoreReport {
  const paths = (some: readonly TreeChange[]) =>
    some.map(change => relPathFromBytes(change.path)).flatMap(path => (path.ok ? [path.value] : []))
  return {
    restored: paths(changes.filter(change => change.new !== null)),
    removed: paths(changes.filter(change => change.new === null)),
  }
}
