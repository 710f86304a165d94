import { createHash } from 'node:crypto'
import { type BigIntStats, read, readFileSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isNothingThere } from '../../error-code.ts'
import type { EntryMode, TreeEntry } from '../store/tree-diff.ts'
import { exactLstatIfThere } from './lstat-if-there.ts'
import { type OpenEntry, openEntry } from './open-entry.ts'

/** What stands at a path at this moment. */
export type Target =
  | { readonly kind: 'absent' | 'folder' | 'special' }
  | { readonly kind: 'entry'; readonly mode: EntryMode; readonly permissions: number; readonly stamp: string }

export async function readTarget(path: Buffer): Promise<Target> {
  return targetOf(await lstat(path, { bigint: true }).catch(absentOrThrow))
}

/** The same at once, for where nothing may happen between looking and acting. */
export function readTargetNow(path: Buffer): Target {
  return targetOf(exactLstatIfThere(path))
}

function targetOf(entry: BigIntStats | undefined): Target {
  if (entry === undefined) return { kind: 'absent' }
  if (entry.isDirectory()) return { kind: 'folder' }
  if (!entry.isFile() && !entry.isSymbolicLink()) return { kind: 'special' }
  const permissions = Number(entry.mode & 0o777n)
  // A file that kept all of these was not written to in between.
  const stamp = `${entry.dev}:${entry.ino}:${entry.size}:${entry.mtimeNs}:${entry.mode}`
  if (entry.isSymbolicLink()) return { kind: 'entry', mode: '120000', permissions, stamp }
  return { kind: 'entry', mode: permissions & 0o100 ? '100755' : '100644', permissions, stamp }
}

/** Whether the file or link at a path has exactly the recorded kind, executable bit and bytes. */
export async function holdsEntry(path: Buffer, target: Target, entry: TreeEntry): Promise<boolean> {
  if (target.kind !== 'entry' || target.mode !== entry.mode) return false
  const found = await entryAt(path, entry.object.length)
  return found?.mode === entry.mode && found.object === entry.object
}

/** The file or link at a path as a tree would name it; null where there is none at this moment. */
export async function entryAt(path: Buffer, nameLength: number): Promise<TreeEntry | null> {
  for (;;) {
    using entry = openEntry(path)
    if (entry === null) return null
    const object = await hashOf(entry, nameLength)
    if (object !== null) return { mode: entry.mode, object }
  }
}

/** The same name git gives the bytes; SHA-256 repositories have longer ones. Null for a file that shrank meanwhile. */
async function hashOf(entry: OpenEntry, nameLength: number): Promise<string | null> {
  const hash = createHash(nameLength === 64 ? 'sha256' : 'sha1')
  if (entry.kind === 'link' || entry.size <= SMALL_BYTES) {
    const content = entry.kind === 'link' ? entry.target : readFileSync(entry.file)
    return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
  }
  hash.update(`blob ${entry.size}\0`)
  const chunk = Buffer.alloc(SMALL_BYTES)
  for (let left = entry.size; left > 0; ) {
    const { bytesRead } = await readChunk(entry.file, chunk, 0, Math.min(left, chunk.length), null)
    if (bytesRead === 0) return null
    hash.update(chunk.subarray(0, bytesRead))
    left -= bytesRead
  }
  return hash.digest('hex')
}

const readChunk = promisify(read)
const SMALL_BYTES = 1024 * 1024

function absentOrThrow(error: unknown): undefined {
  if (isNothingThere(error)) return undefined
  throw error
}
