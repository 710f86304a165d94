import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath } from '../../domain/sandbox/rel-path.ts'
import type { PresentFolder } from './present-folder.ts'
import { differences } from './store/folder-differences.ts'
import type { KnownFolders } from './store/folders-of-tree.ts'
import { mayHaveOthers } from './store/look-at-folder.ts'
import { joinNul, splitNul } from './store/nul-list.ts'
import type { PlanFolder } from './store/plan-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import {
  dropPaths,
  placeOf,
  type Snapshot,
  snapshotExactly,
  snapshotPaths,
  snapshotQuickly,
  treeOfIndex,
  type WorkFolder,
} from './store/snapshot.ts'
import { treeWithWritten, type WrittenPlace } from './store/snapshot-written.ts'
import { diffTrees, indexLine, type TreeChange } from './store/tree-diff.ts'
import { keepUnindexed, noteUnindexed } from './store/unindexed.ts'
import { under } from './writes/parents.ts'

/** An ordinary folder whose files are all the plan's. An index of git knows their times, so that few have to be read. */
export function indexedFolder(store: PrivateStore): PresentFolder {
  const folder: WorkFolder = { workTree: store.folder.root, index: store.folder.workIndex }
  const known: KnownFolders = new Map()
  /** The index lacks what was recorded without it. */
  let isIndexBehind = true
  /** The tree at the last look before a restore. */
  let looked: string | null = null
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
      const taken = await whole(signal)
      looked = taken.ok ? taken.value.tree : null
      return taken
    },
    asFound: async changes => changes,
    lookAgain: async (changes, signal, unrecorded = []) => {
      const paths = changes.map(change => change.path)
      if (looked !== null && unrecorded.length === 0) {
        const tree = await written({ folder, before: looked, takes: 'ignored too' }, paths)
        if (tree !== null) return tree
      }
      const caughtUp = looked === null ? ok() : await caughtUpWith(looked, signal)
      if (!caughtUp.ok) return caughtUp
      const dropped = await dropFromIndex(store, folder, unrecorded)
      return dropped.ok ? snapshotExactly(store, folder, paths, signal) : dropped
    },
    // What was left as it is must not count as recorded: it is looked at again by whoever looks for drift.
    settle: async (tree, kept) => {
      if (kept.length === 0) return ok()
      isIndexBehind = true
      return caughtUpWith(tree)
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
    const taken = await snapshotQuickly(store, folder, signal)
    isIndexBehind = !taken.ok || taken.value.isUnindexed === true
    return taken
  }

  async function only(before: string, paths: readonly Uint8Array[], signal: AbortSignal) {
    const taken = await written({ folder, before, takes: 'unignored' }, paths)
    if (taken !== null) return taken
    const caughtUp = await caughtUpWith(before, signal)
    return caughtUp.ok ? snapshotPaths(store, folder, paths, signal) : caughtUp
  }

  /** Null when git has to do it: its index knows every case. */
  async function written(
    place: WrittenPlace,
    paths: readonly Uint8Array[],
  ): Promise<Result<Snapshot> | null> {
    const made = await treeWithWritten(store, known, place, paths)
    if (made === null) return null
    noteUnindexed(folder.index, made.added)
    isIndexBehind ||= made.tree !== place.before
    return ok({ tree: made.tree, nested: [], unreadable: [] })
  }

  async function caughtUpWith(tree: string, signal?: AbortSignal): Promise<Result<unknown>> {
    if (!isIndexBehind) return ok()
    const caughtUp = await catchUp(store, folder, tree, signal)
    isIndexBehind = !caughtUp.ok
    return caughtUp
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

async function dropFromIndex(
  store: PrivateStore,
  { workTree, index }: WorkFolder,
  unrecorded: readonly TreeChange[],
): Promise<Result<unknown>> {
  if (unrecorded.length === 0) return ok()
  const stdin = joinNul(unrecorded.map(change => change.path))
  return store.run({ workTree, index, args: dropPaths, stdin })
}

/** Makes the index have what this tree has: what was recorded without it, and nothing that was not. */
async function catchUp(
  store: PrivateStore,
  { index }: WorkFolder,
  tree: string,
  signal?: AbortSignal,
): Promise<Result<unknown>> {
  const indexed = await treeOfIndex(store, index, signal)
  if (!indexed.ok) return indexed
  const missed = await diffTrees(store, indexed.value, tree)
  if (!missed.ok || missed.value.length === 0) return missed
  const stdin = Buffer.concat(missed.value.map(indexLine))
  const told = await store.run({ index, args: ['update-index', '-z', '--index-info'], stdin })
  if (told.ok) keepUnindexed(index, [])
  return told
}

async function ignored(store: PrivateStore, folder: WorkFolder, signal: AbortSignal) {
  if (!mayHaveOthers(folder)) return ok([])
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
