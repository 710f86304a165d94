import { copyFile, lstat, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ok, type Result } from '../../../domain/failure.ts'
import type { Git } from '../../git/git.ts'
import { leaveOut } from './apart.ts'
import { convertedPaths } from './converted-paths.ts'
import { type IndexEntry, listIndex } from './index-entries.ts'
import { joinNul } from './nul-list.ts'
import { copyObjects, type PrivateStore } from './private-store.ts'
import type { ProjectRepository } from './project-repository.ts'
import { placeOf, type Snapshot, snapshotFolder, updatePaths, type WorkFolder } from './snapshot.ts'

/**
 * The project's tree as it is now, uncommitted and untracked files included, read without touching the user's index.
 * The private index starts as a copy of theirs: its file times spare reading every file again. What is kept `apart` is
 * excluded already; here it is taken out of the index. All that the tree holds is in the store: the user may prune, repack
 * or delete their repository without harm to the plan.
 */
export async function seedFromProject(
  git: Git,
  store: PrivateStore,
  { project, apart }: { readonly project: ProjectRepository; readonly apart: readonly Buffer[] },
  signal: AbortSignal,
): Promise<Result<Snapshot>> {
  const folder: WorkFolder = { workTree: project.root, index: store.folder.userIndex, objects: 'elsewhere' }
  // Most of it is in the tree that they committed last. What cannot be had from there is found missing below.
  if (project.headTree !== null) await copyObjects(store, project, project.headTree, signal)
  const snapshot = await readProject(git, store, { project, apart, folder }, signal)
  if (!snapshot.ok || !snapshot.value.isIncomplete) return snapshot
  const { tree } = snapshot.value
  const copied = await copyObjects(store, project, tree, signal)
  if (!copied.ok) return copied
  const complete = await store.run({ args: ['rev-list', '--objects', tree], onOutput: () => {} }, signal)
  return complete.ok ? snapshot : complete
}

interface Reading {
  readonly project: ProjectRepository
  readonly apart: readonly Buffer[]
  readonly folder: WorkFolder
}

async function readProject(
  git: Git,
  store: PrivateStore,
  { project, apart, folder }: Reading,
  signal: AbortSignal,
): Promise<Result<Snapshot>> {
  await copyIndex(project, store)
  const cleared = await clearFlags(store, folder, signal)
  if (!cleared.ok) return cleared
  const left = await leaveOut(store, folder, apart, signal)
  if (!left.ok) return left
  const first = await snapshotFolder(store, folder, signal)
  if (!first.ok) return first

  const entries = await listIndex(store, folder.index, signal)
  if (!entries.ok) return entries
  const converted = await convertedPaths(git, project, entries.value.filter(isFileOnDisk), signal)
  if (!converted.ok) return converted
  if (converted.value.length === 0) return first
  const reread = await readAgain(store, folder, converted.value, signal)
  if (!reread.ok) return reread
  const second = await snapshotFolder(store, folder, signal)
  if (!second.ok) return second
  const { nested, unreadable } = first.value
  return ok({ ...second.value, nested, unreadable })
}

export async function copyIndex(project: ProjectRepository, store: PrivateStore): Promise<void> {
  // A split index keeps most entries in a second file beside it.
  const shared = (await readdir(project.gitDir)).filter(name => name.startsWith('sharedindex.'))
  for (const name of shared)
    await copyFile(join(project.gitDir, name), join(dirname(store.folder.userIndex), name))
  await copyFile(join(project.gitDir, 'index'), store.folder.userIndex).catch(ignoreMissing)
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

// These flags make git report the committed content although the file on disk is another.
async function clearFlags(
  store: PrivateStore,
  folder: WorkFolder,
  signal: AbortSignal,
): Promise<Result<void>> {
  const entries = await listIndex(store, folder.index, signal)
  if (!entries.ok) return entries
  const assumed = entries.value.filter(entry => entry.isAssumedUnchanged)
  const skipped: IndexEntry[] = []
  for (const entry of entries.value)
    if (entry.isSkipped && (await exists(folder, entry.path))) skipped.push(entry)
  for (const [flag, marked] of [
    ['--no-assume-unchanged', assumed],
    ['--no-skip-worktree', skipped],
  ] as const) {
    if (marked.length === 0) continue
    const args = ['update-index', flag, '-z', '--stdin']
    const cleared = await store.run(
      {
        ...placeOf(folder),
        args,
        stdin: joinNul(marked.map(entry => entry.path)),
      },
      signal,
    )
    if (!cleared.ok) return cleared
  }
  return ok()
}

async function exists(folder: WorkFolder, path: Buffer): Promise<boolean> {
  const entry = await lstat(Buffer.concat([Buffer.from(`${folder.workTree}/`), path])).catch(() => null)
  return entry !== null
}

function isFileOnDisk(entry: IndexEntry): boolean {
  return entry.mode.startsWith('100') && !entry.isSkipped
}

async function readAgain(
  store: PrivateStore,
  folder: WorkFolder,
  paths: readonly Buffer[],
  signal: AbortSignal,
): Promise<Result<void>> {
  const stdin = joinNul(paths)
  const dropped = await leaveOut(store, folder, paths, signal)
  if (!dropped.ok) return dropped
  const added = await store.run({ ...placeOf(folder), args: updatePaths, stdin }, signal)
  return added.ok ? ok() : added
}

/** A copy of a split index needs its second file only until it was written whole. */
export async function removeSharedIndexes(store: PrivateStore): Promise<void> {
  const folder = dirname(store.folder.userIndex)
  for (const name of await readdir(folder)) {
    if (name.startsWith('sharedindex.')) await rm(join(folder, name))
  }
}
