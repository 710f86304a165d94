import { type Dirent, readdirSync } from 'node:fs'
import { isForbidden, isNothingThere } from '../../error-code.ts'
import { exactLstatIfThere } from '../writes/lstat-if-there.ts'
import { under } from '../writes/parents.ts'
import { entryAt } from '../writes/target.ts'
import { splitNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { readFolder } from './read-folders.ts'
import { type IndexedEntry, type ReadIndex, readIndex } from './read-index.ts'
import type { WorkFolder } from './snapshot.ts'
import type { EntryMode, TreeChange } from './tree-diff.ts'
import { readUnindexed } from './unindexed.ts'
import { statBytes } from './write-index.ts'

/** Where a folder differs from the index that knows its times. */
export interface FolderLook {
  /** What the index stands for. */
  readonly tree: string
  /** From the index to the folder, by content, without what is ignored. */
  readonly changes: readonly TreeChange[]
  /** Repositories in it that the index does not have. */
  readonly nested: readonly Buffer[]
}

/** Beyond these, git in a process of its own is better: the work here holds up everything else. */
const MOST_FILES = 5_000
const MOST_UNSURE = 64

/**
 * Looks at a folder as git does, in this process: a file that is as the index knows it by times, place and size is not
 * read. Git is asked only about what is neither in the index nor recorded without it, since it knows what is ignored.
 * Null where all of it is better left to git.
 */
export async function lookAtFolder(
  store: PrivateStore,
  folder: WorkFolder,
  signal?: AbortSignal,
): Promise<FolderLook | null> {
  // Before it is read: what changed since that moment is not vouched for.
  const indexedAt = exactLstatIfThere(folder.index)?.mtimeNs
  const index = readIndex(folder.index)
  if (indexedAt === undefined || !isPlain(index) || readFolder(store, index.tree) === null) return null
  try {
    const walk = walkFolder(folder, index.entries, indexedAt)
    if (walk.unsure.length > MOST_UNSURE) return null
    const listed = walk.hasOthers ? await listOthers(store, folder, signal) : []
    if (listed === null) return null
    const others = union(walk.unindexed, listed)
    if (others.length > MOST_UNSURE) return null
    const changes: TreeChange[] = []
    const compare = async (path: Buffer, old: TreeChange['old']) => {
      const now = await entryAt(under(Buffer.from(folder.workTree), path), index.tree.length)
      if (old?.object !== now?.object || old?.mode !== now?.mode) changes.push({ path, old, new: now })
    }
    for (const { path, mode, object } of walk.unsure) await compare(path, { mode: mode as EntryMode, object })
    for (const path of others) if (!isFolderName(path)) await compare(path, null)
    for (const { path, mode, object } of walk.gone)
      changes.push({ path, old: { mode: mode as EntryMode, object }, new: null })
    return { tree: index.tree, changes, nested: others.filter(isFolderName) }
  } catch (error) {
    // Git says what cannot be read, and goes on with the rest.
    if (isForbidden(error) || isNothingThere(error)) return null
    throw error
  }
}

/** Whether there may be anything that was never recorded, ignored or not; also where nobody can tell so fast. */
export function mayHaveOthers(folder: WorkFolder): boolean {
  const read = readIndex(folder.index)
  if (read === null || read.entries.length > MOST_FILES || read.entries.some(isRepository)) return true
  try {
    return walkFolder(folder, read.entries, 0n).hasOthers
  } catch {
    return true
  }
}

/** No flags that make git look away, no repositories inside, nothing half merged; and it says what tree it is. */
function isPlain(index: ReadIndex | null): index is ReadIndex & { readonly tree: string } {
  if (index === null || index.tree === null || index.entries.length > MOST_FILES) return false
  return index.entries.every(
    entry => entry.isSettled && !entry.isAssumedUnchanged && !entry.isSkipped && !isRepository(entry),
  )
}

function isRepository({ mode }: IndexedEntry): boolean {
  return mode === '160000'
}

interface Walk {
  /** Not vouched for by what the index knows of them. */
  readonly unsure: IndexedEntry[]
  readonly gone: IndexedEntry[]
  /** Recorded without the index, and there. */
  readonly unindexed: Buffer[]
  hasOthers: boolean
}

/** Only through folders of what is recorded: what is ignored may be much. */
function walkFolder(
  { workTree: root, index }: WorkFolder,
  entries: readonly IndexedEntry[],
  indexedAt: bigint,
): Walk {
  const walk: Walk = { unsure: [], gone: [], unindexed: [], hasOthers: false }
  const folders = byFolder(entries, readUnindexed(index))
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = path === '' ? Buffer.from(root) : under(Buffer.from(root), Buffer.from(path, 'latin1'))
    const known = folders.get(path) ?? new Map<string, FolderPart>()
    const found = new Map(
      readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map(entry => [
        entry.name.toString('latin1'),
        entry,
      ]),
    )
    for (const [name, there] of found) walk.hasOthers ||= isOther(name, there, known.get(name))
    for (const [name, entry] of known) {
      const there = found.get(name)
      if (entry === null) {
        if (there?.isDirectory()) waiting.push(join(path, name))
        else walk.gone.push(...entriesBelow(folders, join(path, name)))
      } else if (entry === 'unindexed') {
        if (there && !there.isDirectory()) walk.unindexed.push(Buffer.from(join(path, name), 'latin1'))
      } else if (!there?.isFile() && !there?.isSymbolicLink()) walk.gone.push(entry)
      else if (!isVouchedFor(entry, under(folder, Buffer.from(name, 'latin1')), indexedAt))
        walk.unsure.push(entry)
    }
  }
  return walk
}

/** By the folder that they lie in; null stands for a folder with entries. */
type Folders = ReadonlyMap<string, ReadonlyMap<string, FolderPart>>
type FolderPart = IndexedEntry | 'unindexed' | null

function byFolder(entries: readonly IndexedEntry[], unindexed: readonly Buffer[]): Folders {
  const folders = new Map<string, Map<string, FolderPart>>()
  const put = (path: string, entry: FolderPart): void => {
    const slash = path.lastIndexOf('/')
    const parent = path.slice(0, Math.max(0, slash))
    const folder = folders.get(parent)
    if (folder) folder.set(path.slice(slash + 1), entry)
    else {
      folders.set(parent, new Map([[path.slice(slash + 1), entry]]))
      if (parent !== '') put(parent, null)
    }
  }
  for (const entry of entries) put(entry.path.toString('latin1'), entry)
  // Where one of the two takes the place of the other, git has to look.
  for (const path of unindexed.map(name => name.toString('latin1')))
    if (!isInTheWay(folders, path)) put(path, 'unindexed')
  return folders
}

function isInTheWay(folders: Folders, path: string): boolean {
  if (folders.has(path)) return true
  for (let above = path; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('/'))))
    if (partAt(folders, above)) return true
  return false
}

function partAt(folders: Folders, path: string): FolderPart | undefined {
  const slash = path.lastIndexOf('/')
  return folders.get(path.slice(0, Math.max(0, slash)))?.get(path.slice(slash + 1))
}

function entriesBelow(folders: Folders, path: string): IndexedEntry[] {
  return [...(folders.get(path) ?? [])].flatMap(([name, entry]) =>
    entry === null ? entriesBelow(folders, join(path, name)) : entry === 'unindexed' ? [] : [entry],
  )
}

/** Git passes over pipes, sockets and devices, and over whatever has the name of a repository. */
function isOther(name: string, there: Dirent<Buffer>, known: FolderPart | undefined): boolean {
  if (name === '.git') return false
  if (known === null) return !there.isDirectory()
  if (known !== undefined) return there.isDirectory()
  return there.isFile() || there.isDirectory() || there.isSymbolicLink()
}

/** What was written when the index was, or later, may have the same times with another content. */
function isVouchedFor({ mode, object, stat }: IndexedEntry, path: Buffer, indexedAt: bigint): boolean {
  const now = exactLstatIfThere(path)
  if (now === undefined || now.mtimeNs >= indexedAt) return false
  // So git marks what it could not vouch for itself.
  if (now.size === 0n && object !== EMPTY_FILE[object.length]) return false
  const isExecutable = (now.mode & 0o100n) !== 0n
  const modeNow = now.isSymbolicLink() ? '120000' : isExecutable ? '100755' : '100644'
  const bytes = statBytes(now)
  return mode === modeNow && COMPARED.every(([from, to]) => bytes.compare(stat, from, to, from, to) === 0)
}

const EMPTY_FILE: Readonly<Record<number, string>> = {
  40: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  64: '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
}

/** Times, inode, owner and size. The number of the disk can be another after every start of the machine. */
const COMPARED = [
  [0, 16],
  [20, 24],
  [28, 40],
] as const

async function listOthers(
  store: PrivateStore,
  { workTree, index }: WorkFolder,
  signal?: AbortSignal,
): Promise<Buffer[] | null> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard']
  const listed = await store.run({ workTree, index, args }, signal)
  return listed.ok ? splitNul(listed.value) : null
}

function union(some: readonly Buffer[], more: readonly Buffer[]): Buffer[] {
  return [...some, ...more.filter(path => !some.some(each => each.equals(path)))]
}

function isFolderName(path: Buffer): boolean {
  return path.at(-1) === 0x2f
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`
}
