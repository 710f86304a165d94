import type { PrivateStore } from './private-store.ts'
import { readFolder } from './read-folders.ts'
import { FOLDER_MODE, type FolderEntry, type TreeFolder } from './tree-object.ts'

/** A path with something other than a folder in one of two trees, which the other does not have like this. */
export interface EntryChange {
  readonly path: Buffer
  readonly old: FolderEntry | null
  readonly new: FolderEntry | null
}

/** Beyond this, git in a process of its own is better: the work here holds up everything else. */
const MOST_FOLDERS = 500

/**
 * What differs between two trees, sorted by path, found in this process by reading the folders that differ. Null when
 * that is better left to git: they are many, or one of them is nothing that can be read here.
 */
export function compareTrees(store: PrivateStore, from: string, to: string): EntryChange[] | null {
  const changes: EntryChange[] = []
  const waiting: Pair[] = [{ path: '', old: folderEntry(from), new: folderEntry(to) }]
  let read = 0
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (isSame(pair.old, pair.new)) continue
    if (![pair.old, pair.new].every(isOfKnownMode)) return null
    const [old, now] = [leafOf(pair.old), leafOf(pair.new)]
    if (old || now) changes.push({ path: Buffer.from(pair.path, 'latin1'), old, new: now })
    const [before, after] = [foldersAt(store, pair.old), foldersAt(store, pair.new)]
    read += before === NOTHING && after === NOTHING ? 0 : 1
    if (before === null || after === null || read > MOST_FOLDERS) return null
    for (const name of new Set([...before.keys(), ...after.keys()]))
      waiting.push({
        path: pair.path === '' ? name : `${pair.path}/${name}`,
        old: before.get(name) ?? null,
        new: after.get(name) ?? null,
      })
  }
  return changes.sort((a, b) => Buffer.compare(a.path, b.path))
}

interface Pair {
  readonly path: string
  readonly old: FolderEntry | null
  readonly new: FolderEntry | null
}

const NOTHING: TreeFolder = new Map()
const MODES = new Set([FOLDER_MODE, '100644', '100755', '120000', '160000'])

/** Trees from long ago hold others, which git reads as one of these. */
function isOfKnownMode(entry: FolderEntry | null): boolean {
  return entry === null || MODES.has(entry.mode)
}

function folderEntry(object: string): FolderEntry {
  return { mode: FOLDER_MODE, object }
}

function leafOf(entry: FolderEntry | null): FolderEntry | null {
  return entry?.mode === FOLDER_MODE ? null : entry
}

function foldersAt(store: PrivateStore, entry: FolderEntry | null): TreeFolder | null {
  return entry?.mode === FOLDER_MODE ? readFolder(store, entry.object) : NOTHING
}

function isSame(one: FolderEntry | null, other: FolderEntry | null): boolean {
  return one?.object === other?.object && one?.mode === other?.mode
}
