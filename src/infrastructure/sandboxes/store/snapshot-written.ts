import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { ok, type Result } from '../../../domain/failure.ts'
import { foldersOfTree, type KnownFolders } from './folders-of-tree.ts'
import { writeObject } from './loose-objects.ts'
import { joinNul, splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import type { WorkFolder } from './snapshot.ts'
import { FOLDER_MODE, type FolderEntry, type TreeFolder, treeObjectOf } from './tree-object.ts'

/** Beyond this, git in a process of its own is better: the work here holds up everything else. */
const MAX_PATHS = 64
const MAX_BYTES = 2 * 1024 * 1024

/**
 * The tree after these paths were touched, made in this process from the tree before: no git, no index, no look at the
 * rest of the folder. Null when a path wants more than that: a folder, a repository inside, a name git has rules for.
 */
export async function treeWithWritten(
  store: PrivateStore,
  known: KnownFolders,
  place: WrittenPlace,
  paths: readonly Uint8Array[],
): Promise<WrittenTree | null> {
  try {
    const written = await snapshotWritten(store, known, place, paths)
    return written.ok ? written.value : null
  } catch {
    // Git's own look says what is wrong.
    return null
  }
}

async function snapshotWritten(
  store: PrivateStore,
  known: KnownFolders,
  { folder, before, takes }: WrittenPlace,
  paths: readonly Uint8Array[],
): Promise<Result<WrittenTree | null>> {
  const names = [...new Set(paths.map(path => Buffer.from(path).toString('latin1')))]
  if (names.length > MAX_PATHS || names.some(hasRules)) return ok(null)
  const found = readAll(folder.workTree, names)
  if (found === null) return ok(null)
  const parents = new Set(['', ...names.flatMap(parentsOf)])
  const folders = await foldersOfTree(store, known, before, parents)
  if (!folders.ok) return folders
  if (!folders.value.has('') || holdsRepository(folders.value, parents)) return ok(null)
  const added = names.filter(name => found.has(name) && !entryAt(folders.value, name))
  const ignored = takes === 'ignored too' ? new Set<string>() : await ignoredOf(store, folder, added)
  if (ignored === null) return ok(null)
  const changed = names.filter(name => !ignored.has(name))
  const tree = writeTrees(store.folder.store, known, { before, folders: folders.value, found, changed })
  return ok({
    tree,
    added: added.filter(name => !ignored.has(name)).map(name => Buffer.from(name, 'latin1')),
  })
}

export interface WrittenPlace {
  readonly folder: WorkFolder
  /** The tree before. */
  readonly before: string
  /** Whether a new file that is ignored belongs to the tree: it does where a state has it. */
  readonly takes: 'unignored' | 'ignored too'
}

interface WrittenTree {
  readonly tree: string
  /** Names that the tree before lacks. */
  readonly added: readonly Buffer[]
}

interface Found {
  readonly mode: string
  readonly content: Buffer
}

// Names that mean the repository itself on some system, which git refuses wherever it runs.
function hasRules(name: string): boolean {
  return (
    name === '' ||
    /(^|\/)(\.{0,2}(\/|$)|\.git|git~)/i.test(name) ||
    !/^[ -~]*$/.test(name) ||
    name.includes('\\')
  )
}

function parentsOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** What is on disk at these names; a name that is missing there is left out. Null when one is not a plain file or link. */
function readAll(workTree: string, names: readonly string[]): Map<string, Found> | null {
  const found = new Map<string, Found>()
  let bytes = 0
  for (const name of names) {
    if (parentsOf(name).some(parent => isObstacle(workTree, parent))) return null
    const path = `${workTree}/${name}`
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (!entry) continue
    bytes += entry.size
    if (bytes > MAX_BYTES) return null
    const read = readEntry(path, entry)
    if (read === null) return null
    found.set(name, read)
  }
  return found
}

/** A link above would lead elsewhere; below a repository of its own nothing is ours. */
function isObstacle(workTree: string, parent: string): boolean {
  const entry = lstatSync(`${workTree}/${parent}`, { throwIfNoEntry: false })
  if (!entry) return false
  return (
    !entry.isDirectory() || lstatSync(`${workTree}/${parent}/.git`, { throwIfNoEntry: false }) !== undefined
  )
}

function readEntry(path: string, entry: { isFile(): boolean; isSymbolicLink(): boolean; mode: number }) {
  try {
    if (entry.isSymbolicLink()) return { mode: '120000', content: readlinkSync(path, { encoding: 'buffer' }) }
    if (!entry.isFile()) return null
    return { mode: entry.mode & OWNER_MAY_RUN ? '100755' : '100644', content: readFileSync(path) }
  } catch {
    // Unreadable, or gone this moment: git says which.
    return null
  }
}

const OWNER_MAY_RUN = 0o100

function holdsRepository(folders: ReadonlyMap<string, TreeFolder>, parents: ReadonlySet<string>): boolean {
  return [...parents].some(parent => parent !== '' && entryAt(folders, parent)?.mode === '160000')
}

function entryAt(folders: ReadonlyMap<string, TreeFolder>, name: string): FolderEntry | undefined {
  const slash = name.lastIndexOf('/')
  return folders.get(name.slice(0, Math.max(0, slash)))?.get(name.slice(slash + 1))
}

/** What is tracked already stays so; only a new file can be ignored. Null when git could not say. */
async function ignoredOf(
  store: PrivateStore,
  { workTree, index }: WorkFolder,
  names: readonly string[],
): Promise<Set<string> | null> {
  if (names.length === 0) return new Set()
  const stdin = joinNul(names.map(name => Buffer.from(name, 'latin1')))
  const args = ['check-ignore', '-z', '--stdin']
  const asked = await store.run({ workTree, index, args, stdin, accept: [1] })
  return asked.ok ? new Set(splitNul(asked.value).map(name => name.toString('latin1'))) : null
}

interface TreeChanges {
  readonly before: string
  readonly folders: ReadonlyMap<string, TreeFolder>
  readonly found: ReadonlyMap<string, Found>
  readonly changed: readonly string[]
}

function writeTrees(
  gitDir: string,
  known: KnownFolders,
  { before, folders, found, changed }: TreeChanges,
): string {
  const idLength = before.length
  const next = new Map<string, Map<string, FolderEntry>>()
  const open = (path: string) => {
    const folder = next.get(path) ?? new Map(folders.get(path))
    next.set(path, folder)
    return folder
  }
  for (const name of changed) {
    const file = found.get(name)
    const [parent, last] = splitName(name)
    const object = file && writeObject(gitDir, { type: 'blob', content: file.content }, idLength)
    if (file && object) open(parent).set(last, { mode: file.mode, object })
    // What is gone as a file may be there as a folder, by another of these paths.
    else if (open(parent).get(last)?.mode !== FOLDER_MODE) open(parent).delete(last)
    for (const above of ['', ...parentsOf(name)]) open(above)
  }
  return closeFolders(gitDir, known, next, idLength) ?? before
}

/** Writes the folders from the deepest up and returns the root; a folder in which nothing is left goes. */
function closeFolders(
  gitDir: string,
  known: KnownFolders,
  next: Map<string, Map<string, FolderEntry>>,
  idLength: number,
): string | null {
  let root: string | null = null
  for (const path of [...next.keys()].sort((a, b) => depth(b) - depth(a))) {
    const folder = next.get(path) ?? new Map()
    const [parent, last] = splitName(path)
    const above = next.get(parent)
    if (path !== '' && folder.size === 0) {
      // Whatever the tree before has there is gone: on disk this is a folder or nothing.
      above?.delete(last)
      known.delete(path)
      continue
    }
    const object = writeObject(gitDir, { type: 'tree', content: treeObjectOf(folder) }, idLength)
    known.set(path, { object, folder })
    if (path === '') root = object
    else above?.set(last, { mode: FOLDER_MODE, object })
  }
  return root
}

function splitName(name: string): [parent: string, last: string] {
  const slash = name.lastIndexOf('/')
  return [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)]
}

function depth(path: string): number {
  return path === '' ? 0 : path.split('/').length
}
