import { ok, type Result } from '../../../domain/failure.ts'
import { isForbidden } from '../../error-code.ts'
import { under } from '../writes/parents.ts'
import { entryAt } from '../writes/target.ts'
import { compareTrees } from './compare-trees.ts'
import { type FolderLook, lookAtFolder } from './look-at-folder.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { placeOf, type WorkFolder } from './snapshot.ts'
import { entryOf, parseChanges, type TreeChange, type TreeEntry } from './tree-diff.ts'

/** Where a folder differs from a tree by content, apart from some paths; these are spelled as latin1. */
export async function differences(
  store: PrivateStore,
  folder: WorkFolder,
  { tree, except }: { tree: string; except: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<Result<TreeChange[]>> {
  const look = await lookAtFolder(store, folder, signal)
  const seen = look && movedFrom(store, look, tree)
  const moved = seen ? ok(seen) : await movedByGit(store, folder, tree, signal)
  if (!moved.ok) return moved
  const changes: TreeChange[] = []
  for (const [name, { old, now: known }] of moved.value) {
    if (except.has(name)) continue
    const path = Buffer.from(name, 'latin1')
    const place = under(Buffer.from(folder.workTree), path)
    const now = known === undefined ? await entryAt(place, tree.length).catch(unreadableOrThrow) : known
    // Nobody can say whether it changed; a restore leaves it alone too.
    if (now === 'unreadable') continue
    if (old?.object !== now?.object || old?.mode !== now?.mode) changes.push({ path, old, new: now })
  }
  return ok(changes)
}

/** What the tree has at a path, and what is there on the disk where that is known already. */
interface Moved {
  readonly old: TreeEntry | null
  readonly now?: TreeEntry | null
}

/** From the tree to the index, and from there to the folder. Null when git has to compare the trees. */
function movedFrom(store: PrivateStore, look: FolderLook, tree: string): Map<string, Moved> | null {
  const unindexed = compareTrees(store, tree, look.tree)
  if (unindexed === null) return null
  const moved = new Map<string, Moved>()
  for (const { path, old, new: indexed } of unindexed) {
    // What the index does not have was not looked at where it is ignored.
    const now = indexed === null ? {} : { now: entryOf(indexed) }
    moved.set(path.toString('latin1'), { old: entryOf(old), ...now })
  }
  for (const { path, old, new: now } of look.changes) {
    const name = path.toString('latin1')
    const before = moved.get(name)
    moved.set(name, { old: before ? before.old : old, now })
  }
  return moved
}

function unreadableOrThrow(error: unknown): 'unreadable' {
  if (isForbidden(error)) return 'unreadable'
  throw error
}

/** Every path that may differ: what the index does not vouch for, and what it lacks. */
async function movedByGit(
  store: PrivateStore,
  folder: WorkFolder,
  tree: string,
  signal: AbortSignal,
): Promise<Result<Map<string, Moved>>> {
  const looking = ['-z', '--raw', '--no-renames', '--ignore-submodules=all', '--end-of-options']
  const others = ['ls-files', '-z', '--others', '--exclude-standard']
  const [tracked, untracked] = await Promise.all([
    store.run({ ...placeOf(folder), args: ['diff-index', ...looking, tree] }, signal),
    store.run({ ...placeOf(folder), args: others }, signal),
  ])
  if (!tracked.ok) return tracked
  if (!untracked.ok) return untracked
  const moved = new Map<string, Moved>()
  for (const path of splitNul(untracked.value))
    if (path.at(-1) !== SLASH) moved.set(path.toString('latin1'), { old: null })
  for (const { path, old } of parseChanges(tracked.value)) moved.set(path.toString('latin1'), { old })
  return ok(moved)
}

const SLASH = 0x2f
