import { accessSync, type BigIntStats, constants } from 'node:fs'
import { ok, type Result } from '../../../domain/failure.ts'
import { isForbidden } from '../../error-code.ts'
import { writeObject } from '../store/loose-objects.ts'
import { joinNul, splitNul } from '../store/nul-list.ts'
import type { PrivateStore } from '../store/private-store.ts'
import { updatePaths } from '../store/snapshot.ts'
import type { FolderEntry } from '../store/tree-object.ts'
import { readEntry } from '../writes/open-entry.ts'
import { under } from '../writes/parents.ts'

export interface LayerContents {
  /** What was there a moment ago and is neither here nor unreadable has gone, or become something else. */
  readonly entries: ReadonlyMap<string, FolderEntry>
  readonly unreadable: readonly Buffer[]
}

export type ReadContents = (
  files: ReadonlyMap<string, BigIntStats>,
  signal: AbortSignal,
) => Promise<Result<LayerContents>>

/** Beyond this, git in a process of its own is better: the work here holds up everything else. */
const MAX_FILES = 64
const MAX_BYTES = 2n * 1024n * 1024n

/** Takes the contents of the upper layer's files into the store; what was taken before is not read again. */
export function layerContents(store: PrivateStore, upper: string, idLength: number): ReadContents {
  const remembered = new Map<string, { readonly stamp: string; readonly entry: FolderEntry }>()
  const root = Buffer.from(upper)
  return async (files, signal) => {
    const entries = new Map<string, FolderEntry>()
    const unread = new Map<string, BigIntStats>()
    for (const [path, stat] of files) {
      const known = remembered.get(path)
      if (known?.stamp === stampOf(stat)) entries.set(path, known.entry)
      else unread.set(path, stat)
    }
    const unreadable = [...unread]
      .filter(([path, stat]) => isUnreadable(root, path, stat))
      .map(([path]) => path)
    for (const path of unreadable) unread.delete(path)
    const readAt = BigInt(Date.now()) * 1_000_000n
    const read = isLittle(unread)
      ? readHere(store, root, unread, idLength)
      : await readByGit(store, upper, unread, signal)
    if (!read.ok) return read
    for (const [path, entry] of read.value) {
      entries.set(path, entry)
      const stat = unread.get(path)
      // One that changed in the moment it was read may change again without looking different.
      if (stat && readAt - stat.ctimeNs > TICK_NS) remembered.set(path, { stamp: stampOf(stat), entry })
      else remembered.delete(path)
    }
    return ok({ entries, unreadable: unreadable.map(path => Buffer.from(path, 'latin1')) })
  }
}

const TICK_NS = 50_000_000n

function stampOf({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`
}

function isUnreadable(root: Buffer, path: string, stat: BigIntStats): boolean {
  if (stat.isSymbolicLink()) return false
  try {
    accessSync(under(root, Buffer.from(path, 'latin1')), constants.R_OK)
    return false
  } catch (error) {
    return isForbidden(error)
  }
}

function isLittle(files: ReadonlyMap<string, BigIntStats>): boolean {
  const bytes = [...files.values()].reduce((sum, stat) => sum + stat.size, 0n)
  return files.size <= MAX_FILES && bytes <= MAX_BYTES
}

function readHere(
  store: PrivateStore,
  root: Buffer,
  files: ReadonlyMap<string, BigIntStats>,
  idLength: number,
): Result<ReadonlyMap<string, FolderEntry>> {
  const entries = new Map<string, FolderEntry>()
  for (const path of files.keys()) {
    const found = readEntry(under(root, Buffer.from(path, 'latin1')))
    if (found === null) continue
    const { mode, content } = found
    entries.set(path, { mode, object: writeObject(store.folder.store, { type: 'blob', content }, idLength) })
  }
  return ok(entries)
}

/** In an index that has only paths of this layer. */
async function readByGit(
  store: PrivateStore,
  upper: string,
  files: ReadonlyMap<string, BigIntStats>,
  signal: AbortSignal,
): Promise<Result<ReadonlyMap<string, FolderEntry>>> {
  const index = store.folder.workIndex
  const stdin = joinNul([...files.keys()].map(path => Buffer.from(path, 'latin1')))
  const updated = await store.run({ workTree: upper, index, args: updatePaths, stdin }, signal)
  if (!updated.ok) return updated
  const listed = await store.run({ index, args: ['ls-files', '--stage', '-z'] }, signal)
  if (!listed.ok) return listed
  const entries = new Map<string, FolderEntry>()
  for (const line of splitNul(listed.value)) {
    const tab = line.indexOf(0x09)
    const path = line.toString('latin1', tab + 1)
    const [mode = '', object = ''] = line.toString('latin1', 0, tab).split(' ')
    if (files.has(path)) entries.set(path, { mode, object })
  }
  return ok(entries)
}
