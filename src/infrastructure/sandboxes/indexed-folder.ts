import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath } from '../../domain/sandbox/rel-path.ts'
import { isForbidden } from '../error-code.ts'
import type { PresentFolder } from './present-folder.ts'
import type { KnownFolders } from './store/folders-of-tree.ts'
import { joinNul, splitNul } from './store/nul-list.ts'
import type { PlanFolder } from './store/plan-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import {
  dropPaths,
  placeOf,
  type Snapshot,
  snapshotExactly,
  snapshotFolder,
  snapshotPaths,
  type WorkFolder,
} from './store/snapshot.ts'
import { snapshotWritten, type WrittenPlace } from './store/snapshot-written.ts'
import { diffTrees, indexLine, parseChanges, type TreeChange, type TreeEntry } from './store/tree-diff.ts'
import { forgetUnindexed, noteUnindexed } from './store/unindexed.ts'
import { under } from './writes/parents.ts'
import { entryAt } from './writes/target.ts'

/** An ordinary folder whose files are all the plan's. An index of git knows their times, so that few have to be read. */
export function indexedFolder(store: PrivateStore): PresentFolder {
  const folder: WorkFolder = { workTree: store.folder.root, index: store.folder.workIndex }
  const known: KnownFolders = new Map()
  /** The index lacks what was recorded without it. */
  let isIndexBehind = true
  /** The tree at the last look before a restore, and what was written since without telling the index. */
  let looked: string | null = null
  let unsynced: readonly Buffer[] = []
  return {
    root: folder.workTree,
    enter: () => ifThere(async () => ok(null)),
    // What nobody named as written is no part of a checkpoint: it may be somebody else's.
    take: (written, before, signal) =>
      ifThere(() =>
        written === 'unknown' ? whole(signal) : only(before, written.map(bytesOfRelPath), signal),
      ),
    look: async signal => {
      // The states are in the store, so the folder can be made anew from any of them.
      await mkdir(folder.workTree, { recursive: true })
      const taken = await snapshotFolder(store, folder, signal)
      if (taken.ok) forgetUnindexed(folder.index)
      looked = taken.ok ? taken.value.tree : null
      unsynced = []
      return taken
    },
    asFound: async changes => changes,
    lookAgain: async (changes, signal, unrecorded = []) => {
      const paths = changes.map(change => change.path)
      const before = looked
      unsynced = []
      const tree =
        before === null || unrecorded.length > 0
          ? null
          : await treeWithWritten(store, known, { folder, before, takes: 'ignored too' }, paths)
      if (tree !== null) {
        unsynced = paths
        return ok({ tree, nested: [], unreadable: [] })
      }
      const dropped = await dropFromIndex(store, folder, unrecorded)
      return dropped.ok ? snapshotExactly(store, folder, paths, signal) : dropped
    },
    settle: async (_tree, kept) => {
      // An index that is told what to forget has to know the rest.
      const synced =
        kept.length > 0 && unsynced.length > 0 ? await snapshotExactly(store, folder, unsynced) : ok()
      if (!synced.ok) return synced
      const forgotten = await forgetInIndex(store, folder, kept)
      if (forgotten.ok) isIndexBehind = kept.length === 0 && unsynced.length > 0
      return forgotten
    },
    differences: (tree, except, signal) =>
      ifThere(() => differences(store, folder, { tree, except }, signal)),
    ignored: signal => ignored(store, folder, signal),
    projectChanged: async () => {},
    leave: async () => {},
  }

  // A folder that somebody deleted would look like the work of a plan that removed everything.
  function ifThere<Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> {
    return existsSync(folder.workTree) ? work() : Promise.resolve(refuseMissing(store.folder))
  }

  async function whole(signal: AbortSignal): Promise<Result<Snapshot>> {
    const taken = await snapshotFolder(store, folder, signal)
    isIndexBehind = !taken.ok
    if (taken.ok) forgetUnindexed(folder.index)
    return taken
  }

  async function only(before: string, paths: readonly Uint8Array[], signal: AbortSignal) {
    const tree = await treeWithWritten(store, known, { folder, before, takes: 'unignored' }, paths)
    if (tree !== null) {
      isIndexBehind ||= tree !== before
      return ok({ tree, nested: [], unreadable: [] })
    }
    const caughtUp = isIndexBehind ? await catchUp(store, folder, before, signal) : ok()
    if (!caughtUp.ok) return caughtUp
    isIndexBehind = false
    return snapshotPaths(store, folder, paths, signal)
  }
}

function refuseMissing({ path, root }: PlanFolder) {
  const what = `The folder ${root}, in which the plan works, is missing.`
  if (!root.startsWith(`${path}/`))
    return refuse('sandbox_failed', `${what} Bring it back, or cancel the plan.`, { root })
  const next =
    'What was recorded is kept: resume the plan to make the folder anew from it, roll back to a checkpoint, or cancel the plan.'
  return refuse('sandbox_failed', `${what} ${next}`, { missing: root })
}

/** Null when git has to do it: its index knows every case. */
async function treeWithWritten(
  store: PrivateStore,
  known: KnownFolders,
  place: WrittenPlace,
  paths: readonly Uint8Array[],
): Promise<string | null> {
  try {
    const written = await snapshotWritten(store, known, place, paths)
    if (!written.ok || written.value === null) return null
    noteUnindexed(place.folder.index, written.value.added)
    return written.value.tree
  } catch {
    return null
  }
}

async function dropFromIndex(
  store: PrivateStore,
  { workTree, index }: WorkFolder,
  unrecorded: readonly TreeChange[],
): Promise<Result<unknown>> {
  if (unrecorded.length === 0) return ok()
  const stdin = joinNul(unrecorded.map(change => change.path))
  return store.run({ workTree, index, args: dropPaths, stdin })
}

/** Gives the index what was recorded without it, and takes from it what was not recorded. */
async function catchUp(
  store: PrivateStore,
  folder: WorkFolder,
  before: string,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const indexed = await snapshotExactly(store, folder, [], signal)
  if (!indexed.ok) return indexed
  const missed = await diffTrees(store, indexed.value.tree, before)
  return missed.ok ? forgetInIndex(store, folder, missed.value) : missed
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

async function differences(
  store: PrivateStore,
  folder: WorkFolder,
  { tree, except }: { tree: string; except: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<Result<TreeChange[]>> {
  const moved = await movedSince(store, folder, tree, signal)
  if (!moved.ok) return moved
  const changes: TreeChange[] = []
  for (const [name, old] of moved.value) {
    if (except.has(name)) continue
    const path = Buffer.from(name, 'latin1')
    const now = await entryAt(under(Buffer.from(folder.workTree), path), tree.length).catch(unreadableOrThrow)
    // Nobody can say whether it changed; a restore leaves it alone too.
    if (now === 'unreadable') continue
    if (old?.object !== now?.object || old?.mode !== now?.mode) changes.push({ path, old, new: now })
  }
  return ok(changes)
}

function unreadableOrThrow(error: unknown): 'unreadable' {
  if (isForbidden(error)) return 'unreadable'
  throw error
}

/** Every path that may differ, with what the tree has there: what the index does not vouch for, and what it lacks. */
async function movedSince(
  store: PrivateStore,
  folder: WorkFolder,
  tree: string,
  signal: AbortSignal,
): Promise<Result<Map<string, TreeEntry | null>>> {
  const args = [
    'diff-index',
    '-z',
    '--raw',
    '--no-renames',
    '--ignore-submodules=all',
    '--end-of-options',
    tree,
  ]
  const others = ['ls-files', '-z', '--others', '--exclude-standard']
  const [tracked, untracked] = await Promise.all([
    store.run({ ...placeOf(folder), args }, signal),
    store.run({ ...placeOf(folder), args: others }, signal),
  ])
  if (!tracked.ok) return tracked
  if (!untracked.ok) return untracked
  const moved = new Map<string, TreeEntry | null>()
  for (const path of splitNul(untracked.value))
    if (path.at(-1) !== SLASH) moved.set(path.toString('latin1'), null)
  for (const { path, old } of parseChanges(tracked.value)) moved.set(path.toString('latin1'), old)
  return ok(moved)
}

async function ignored(store: PrivateStore, folder: WorkFolder, signal: AbortSignal) {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listed = await store.run({ ...placeOf(folder), args }, signal)
  if (!listed.ok) return listed
  const root = Buffer.from(folder.workTree)
  return ok(
    splitNul(listed.value)
      .map(name => (name.at(-1) === SLASH ? name.subarray(0, -1) : name))
      .map(path => ({ path, place: under(root, path) })),
  )
}

const SLASH = 0x2f
