import { lstat, readdir } from 'node:fs/promises'
import { ok, type Result } from '../../domain/failure.ts'
import { relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type {
  RestoredPath,
  RestorePreview,
  RestoreScope,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import type { PresentFolder } from './present-folder.ts'
import { byScope, isRewritten, partUnrecorded } from './restore-changes.ts'
import type { PrivateStore } from './store/private-store.ts'
import { treeOf } from './store/states.ts'
import { filesOf, type TreeChange } from './store/tree-diff.ts'
import { under } from './writes/parents.ts'

interface Asked {
  readonly state: SandboxState
  readonly scope: RestoreScope
  readonly since: string
}

/** What a restore would do to a folder, found out by reading alone. */
export async function previewRestore(
  store: PrivateStore,
  folder: PresentFolder,
  { state, scope, since }: Asked,
  signal: AbortSignal,
): Promise<Result<RestorePreview>> {
  const tree = await treeOf(store, state)
  if (!tree.ok) return tree
  const found = await folder.differences(tree.value, new Set(), signal)
  if (!found.ok && found.failure.facts['missing'] !== undefined) return madeAnew(store, tree.value)
  if (!found.ok) return found
  const leftAlone = await ignoredSince(store, folder, since, signal)
  if (!leftAlone.ok) return leftAlone
  const towards = byScope(found.value, scope).changes.map(reversed)
  const parted = await partUnrecorded(store, { state, tree: tree.value }, towards, signal)
  if (!parted.ok) return parted
  const { changes, unrecorded } = parted.value
  const restored = [...changes, ...unrecorded.filter(isRewritten)].flatMap(restoredPath)
  return ok({
    restored: restored.sort((a, b) => (a.path < b.path ? -1 : 1)),
    leftAlone: leftAlone.value,
    cannotRestore: [],
  })
}

/** A folder that is missing comes back with all that the state has. */
async function madeAnew(store: PrivateStore, tree: string): Promise<Result<RestorePreview>> {
  const files = await filesOf(store, tree)
  if (!files.ok) return files
  return ok({ restored: files.value.flatMap(restoredPath), leftAlone: [], cannotRestore: [] })
}

// A difference says what was and what is there; a restore goes the other way.
function reversed({ path, old, new: now }: TreeChange): TreeChange {
  return { path, old: now, new: old }
}

function restoredPath({ path: bytes, old: now, new: wanted }: TreeChange): RestoredPath[] {
  const path = relPathFromBytes(bytes)
  if (!path.ok) return []
  if (wanted === null) return [{ path: path.value, how: 'removed' }]
  return [{ path: path.value, how: now === null ? 'brought_back' : 'rewritten' }]
}

async function ignoredSince(
  store: PrivateStore,
  folder: PresentFolder,
  since: string,
  signal: AbortSignal,
): Promise<Result<RestorePreview['leftAlone']>> {
  const ignored = await folder.ignored(signal)
  if (!ignored.ok) return ignored
  // Bringing them along was a change too, but nobody's.
  const made = (await lstat(store.folder.record).catch(() => null))?.mtimeMs ?? 0
  const after = Math.max(Date.parse(since), made)
  const found: { path: RestoredPath['path']; changedAt: string }[] = []
  for (const { path: bytes, place } of ignored.value) {
    const changedAt = await lastChange(place, signal)
    const path = relPathFromBytes(bytes)
    if (path.ok && changedAt > after)
      found.push({ path: path.value, changedAt: new Date(changedAt).toISOString() })
  }
  return ok(found)
}

/** When anything at or below a path last changed: a content, a mode, or an entry that came or went. */
async function lastChange(path: Buffer, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  const entry = await lstat(path).catch(() => null)
  if (!entry?.isDirectory()) return entry?.ctimeMs ?? 0
  const names = await readdir(path, { encoding: 'buffer' }).catch(() => [])
  let newest = entry.ctimeMs
  for (const name of names) newest = Math.max(newest, await lastChange(under(path, name), signal))
  return newest
}
