import { lstat } from 'node:fs/promises'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { openEntry } from '../writes/open-entry.ts'
import { parentsOf, under } from '../writes/parents.ts'
import { lookAtFolder } from './look-at-folder.ts'
import { joinNul, splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { readIndex } from './read-index.ts'
import { treeWithWritten } from './snapshot-written.ts'
import { keepUnindexed, readUnindexed } from './unindexed.ts'

export interface WorkFolder {
  readonly workTree: string
  readonly index: string
  /** Set while the index may name objects that are only in the project's repository. */
  readonly objects?: 'elsewhere'
}

export interface Snapshot {
  readonly tree: string
  /** Some of what the tree names is only in the project's repository. */
  readonly isIncomplete?: true
  /** It was made in this process; the index does not have what it has. */
  readonly isUnindexed?: true
  /** Entries that are not part of the tree: nested repositories, and files that could not be read. */
  readonly nested: readonly Buffer[]
  readonly unreadable: readonly Buffer[]
}

/** The tree of a folder as it is now: everything but ignored files, byte for byte. The index has all of it then. */
export async function snapshotFolder(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  const seen = await snapshotSeen(store, folder, 'nothing', signal)
  return seen ? ok(seen) : snapshotIntoIndex(store, folder, signal)
}

/** The same, where the index need not have what few files changed: it is told of them when they are more. */
export async function snapshotQuickly(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  const seen = await snapshotSeen(store, folder, 'few files', signal)
  return seen ? ok(seen) : snapshotIntoIndex(store, folder, signal)
}

/** Null where more changed than is wanted, or where git has to look. */
async function snapshotSeen(
  store: PrivateStore,
  folder: WorkFolder,
  mayChange: 'nothing' | 'few files',
  signal?: AbortSignal,
): Promise<Snapshot | null> {
  const look = await lookAtFolder(store, folder, signal)
  if (look === null || look.nested.length > 0) return null
  const unindexed = readUnindexed(folder.index)
  const paths = [...look.changes.map(change => change.path), ...unindexed]
  const snapshot = { nested: [], unreadable: [] }
  if (paths.length === 0) return { tree: look.tree, ...snapshot }
  if (mayChange === 'nothing') return null
  const place = { folder, before: look.tree, takes: 'ignored too' } as const
  const made = await treeWithWritten(store, new Map(), place, paths)
  if (made === null) return null
  keepUnindexed(folder.index, made.added)
  return { tree: made.tree, isUnindexed: true, ...snapshot }
}

async function snapshotIntoIndex(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  await takeUnindexed(store, folder, signal)
  const added = await store.run({ ...placeOf(folder), args: addAll }, signal)
  if (added.ok) {
    keepUnindexed(folder.index, [])
    return withTree(store, folder, { nested: [], unreadable: [] }, signal)
  }
  if (added.failure.code !== 'sandbox_failed') return added
  return snapshotAroundObstacles(store, folder, signal)
}

/** The tree after only these paths were touched; does not read the rest of the folder. Ignored ones are left out. */
export async function snapshotPaths(
  store: PrivateStore,
  folder: WorkFolder,
  paths: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  if (await hasFolder(folder.workTree, paths)) return snapshotFolder(store, folder, signal)
  const args = ['check-ignore', '-z', '--stdin']
  const ignored = await store.run({ ...placeOf(folder), args, stdin: joinNul(paths), accept: [1] }, signal)
  if (!ignored.ok) return snapshotFolder(store, folder, signal)
  const left = withoutPaths(paths, splitNul(ignored.value))
  const taken = await snapshotExactly(store, folder, left, signal)
  if (taken.ok || taken.failure.code !== 'sandbox_failed') return taken
  return snapshotFolder(store, folder, signal)
}

/** The same for paths that belong to the tree whether or not they are ignored. */
export async function snapshotExactly(
  store: PrivateStore,
  folder: WorkFolder,
  paths: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  if (paths.length > 0) {
    const updated = await takeIntoIndex(store, folder, paths, signal)
    if (!updated.ok) return updated
  }
  return withTree(store, folder, { nested: [], unreadable: [] }, signal)
}

// A name that cannot be taken here is left to git's own look, which says what is wrong with it.
async function takeUnindexed(store: PrivateStore, folder: WorkFolder, signal?: AbortSignal): Promise<void> {
  const names: Buffer[] = []
  for (const name of readUnindexed(folder.index))
    if (!(await hasFolder(folder.workTree, [name]))) names.push(name)
  if (names.length > 0) await takeIntoIndex(store, folder, names, signal)
}

async function takeIntoIndex(
  store: PrivateStore,
  folder: WorkFolder,
  paths: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Result<unknown>> {
  const { reachable, gone } = byParents(folder.workTree, paths)
  const take = (args: readonly string[], some: readonly Uint8Array[]) =>
    some.length === 0 ? ok() : store.run({ ...placeOf(folder), args, stdin: joinNul(some) }, signal)
  const dropped = await take(dropPaths, gone)
  return dropped.ok ? take(updatePaths, reachable) : dropped
}

// Git refuses a path below a link or a file, although nothing is less there.
function byParents(workTree: string, paths: readonly Uint8Array[]) {
  const root = Buffer.from(workTree)
  const known = new Map<string, boolean>()
  const isInTheWay = (parent: Buffer) => {
    const name = parent.toString('latin1')
    const found = known.get(name) ?? isNoFolder(under(root, parent))
    known.set(name, found)
    return found
  }
  const isGone = (path: Uint8Array) => parentsOf(Buffer.from(path)).some(isInTheWay)
  return { reachable: paths.filter(path => !isGone(path)), gone: paths.filter(isGone) }
}

function isNoFolder(path: Buffer): boolean {
  const entry = lstatIfThere(path)
  return entry !== undefined && !entry.isDirectory()
}

export const dropPaths = ['update-index', '--force-remove', '-z', '--stdin']
/** For `update-index` with paths on its input: takes what is there, drops what is gone, lets kinds change. */
export const updatePaths = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin']
const addAll = ['add', '--all', '--ignore-errors', '--no-warn-embedded-repo']

/**
 * `add` gives up wholly on a repository without commits inside the folder, and reports files it may not read. It also
 * reports what goes, comes or shrinks while it reads, and then has to look again.
 */
async function snapshotAroundObstacles(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  for (let looks = 1; ; looks++) {
    const isLast = looks === MOST_LOOKS
    const taken = await addAroundObstacles(store, folder, isLast, signal)
    if (taken.ok || taken.failure.code !== 'sandbox_failed' || isLast) return taken
  }
}

const MOST_LOOKS = 5

async function addAroundObstacles(
  store: PrivateStore,
  folder: WorkFolder,
  isLast: boolean,
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  const nested = await untracked(store, folder, signal)
  if (!nested.ok) return nested
  const roots = nested.value.filter(isFolderName)
  const patterns = [
    Buffer.from(':(top)'),
    ...roots.map(root => Buffer.concat([Buffer.from(':(top,exclude,literal)'), root])),
  ]
  const args = [...addAll, '--pathspec-from-file=-', '--pathspec-file-nul']
  const added = await store.run({ ...placeOf(folder), args, stdin: joinNul(patterns) }, signal)
  if (added.ok) return withTree(store, folder, { nested: roots, unreadable: [] }, signal)
  if (added.failure.code !== 'sandbox_failed') return added
  const left = await notCaptured(store, folder, signal)
  if (!left.ok) return left
  // What changed after `add` had looked is left as well, and can be taken by the next.
  const unreadable = isLast
    ? left.value
    : left.value.filter(path => isUnreadable(under(Buffer.from(folder.workTree), path)))
  if (unreadable.length === 0) return added
  return withTree(store, folder, { nested: roots, unreadable }, signal)
}

async function notCaptured(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<Result<Buffer[]>> {
  const others = await untracked(store, folder, signal)
  if (!others.ok) return others
  const args = ['diff-files', '--name-only', '--ignore-submodules=all', '-z']
  const changed = await store.run({ ...placeOf(folder), args }, signal)
  if (!changed.ok) return changed
  return ok([...others.value.filter(path => !isFolderName(path)), ...splitNul(changed.value)])
}

function isUnreadable(file: Buffer): boolean {
  try {
    openEntry(file)?.[Symbol.dispose]()
    return false
  } catch {
    return true
  }
}

async function untracked(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<Result<Buffer[]>> {
  const listed = await store.run(
    { ...folder, args: ['ls-files', '-z', '--others', '--exclude-standard'] },
    signal,
  )
  return listed.ok ? ok(splitNul(listed.value)) : listed
}

/** The tree that an index stands for. */
export async function treeOfIndex(
  store: PrivateStore,
  index: string,
  signal?: AbortSignal,
): Promise<Result<string>> {
  const noted = readIndex(index)?.tree
  if (noted) return ok(noted)
  const written = await store.run({ index, args: ['write-tree'] }, signal)
  return written.ok ? ok(written.value.toString().trim()) : written
}

async function withTree(
  store: PrivateStore,
  folder: WorkFolder,
  left: Pick<Snapshot, 'nested' | 'unreadable'>,
  signal?: AbortSignal,
): Promise<Result<Snapshot>> {
  const { index } = folder
  const whole = await store.run({ index, args: ['write-tree'] }, signal)
  const mayMiss = !whole.ok && whole.failure.code === 'sandbox_failed' && folder.objects === 'elsewhere'
  const written = mayMiss ? await store.run({ index, args: ['write-tree', '--missing-ok'] }, signal) : whole
  if (!written.ok) return written
  const tree = written.value.toString().trim()
  if (/^[0-9a-f]{40,64}$/.test(tree)) return ok({ tree, ...left, ...(mayMiss ? { isIncomplete: true } : {}) })
  return refuse('sandbox_failed', `git write-tree answered "${tree}" instead of a tree.`)
}

/** The part of a folder that a call to git takes. */
export function placeOf({ workTree, index }: WorkFolder) {
  return { workTree, index }
}

async function hasFolder(workTree: string, paths: readonly Uint8Array[]): Promise<boolean> {
  for (const path of paths) {
    const entry = await lstat(Buffer.concat([Buffer.from(`${workTree}/`), path])).catch(() => null)
    if (entry?.isDirectory()) return true
  }
  return false
}

function withoutPaths(paths: readonly Uint8Array[], dropped: readonly Buffer[]): Buffer[] {
  const names = new Set(dropped.map(path => path.toString('latin1')))
  return paths.map(path => Buffer.from(path)).filter(path => !names.has(path.toString('latin1')))
}

function isFolderName(path: Buffer): boolean {
  return path.at(-1) === 0x2f
}
