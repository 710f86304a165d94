import { ok, type Result, refuse } from '../../domain/failure.ts'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { RestoreReport, RestoreScope, SandboxState } from '../../domain/sandbox/strategy.ts'
import { returnBesides } from './besides.ts'
import type { PresentFolder } from './present-folder.ts'
import { byScope, isRewritten, type RestoreChanges, restoreChanges } from './restore-changes.ts'
import type { PrivateStore } from './store/private-store.ts'
import { markLatest, treeOf } from './store/states.ts'
import { diffTrees, filesOf, type TreeChange } from './store/tree-diff.ts'
import { executeWrites } from './writes/execute.ts'
import { withOpenFolders } from './writes/open-folders.ts'
import { prepareWrites } from './writes/prepare.ts'

interface Asked {
  readonly state: SandboxState
  readonly scope: RestoreScope
}

/** Returns a folder to a recorded state; the next checkpoint comes after that. */
export async function restoreState(
  store: PrivateStore,
  folder: PresentFolder,
  asked: Asked,
  signal: AbortSignal,
): Promise<Result<RestoreReport>> {
  const laid = await layState(store, folder, asked, signal)
  if (!laid.ok) return laid
  const marked = await markLatest(store, asked.state, signal)
  return marked.ok ? laid : marked
}

/** Writes only what differs from the state now, then checks that it is that state. */
export async function layState(
  store: PrivateStore,
  folder: PresentFolder,
  asked: Asked,
  signal: AbortSignal,
): Promise<Result<RestoreReport>> {
  const ready = asked.scope.kind === 'all' ? ok() : await folder.enter()
  // What is outside of the scope cannot come back with a folder that is missing.
  if (!ready.ok && !(await coversAll(store, asked))) return ready
  const present = await folder.look(signal)
  if (!present.ok) return present
  const found = await restoreChanges(store, present.value.tree, asked, signal)
  if (!found.ok) return found
  const { changes, unrecorded } = found.value
  const all = [...changes, ...unrecorded.filter(isRewritten)]
  const met = await folder.asFound(all)
  const paths = met.map(change => change.path)
  const written = await withOpenFolders(folder.root, paths, () => writeAll(store, folder.root, met, signal))
  if (!written.ok) return written
  if (asked.scope.kind === 'all') await returnBesides(store.folder, all)
  const verified = await verify(store, folder, found.value, { scope: asked.scope, signal })
  if (!verified.ok) return verified
  const settled = await folder.settle(found.value.wanted, found.value.kept)
  return settled.ok ? ok(report(all)) : settled
}

async function coversAll(
  store: PrivateStore,
  { state, scope }: { readonly state: SandboxState; readonly scope: RestoreScope },
): Promise<boolean> {
  const tree = await treeOf(store, state)
  const files = tree.ok ? await filesOf(store, tree.value) : tree
  return files.ok && byScope(files.value, scope).kept.length === 0
}

async function writeAll(
  store: PrivateStore,
  root: string,
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const prepared = await prepareWrites(store, root, changes, signal)
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
  folder: PresentFolder,
  { changes, unrecorded, wanted }: RestoreChanges,
  { scope, signal }: { scope: RestoreScope; signal: AbortSignal },
): Promise<Result<void>> {
  if (changes.length === 0 && unrecorded.length === 0) return ok()
  const after = await folder.lookAgain(changes, signal, unrecorded)
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

function report(changes: readonly TreeChange[]): RestoreReport {
  const paths = (some: readonly TreeChange[]) =>
    some.map(change => relPathFromBytes(change.path)).flatMap(path => (path.ok ? [path.value] : []))
  return {
    restored: paths(changes.filter(change => change.new !== null)).sort(),
    removed: paths(changes.filter(change => change.new === null)),
  }
}
