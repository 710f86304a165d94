import { createHash } from 'node:crypto'
import { type BigIntStats, createReadStream, lstatSync } from 'node:fs'
import { lstat, readFile, readlink } from 'node:fs/promises'
import type { EntryMode, TreeEntry } from '../store/tree-diff.ts'
import { isNothingThere } from './lstat-if-there.ts'

/** What stands at a path at this moment. */
export type Target =
  | { readonly kind: 'absent' | 'folder' | 'special' }
  | { readonly kind: 'entry'; readonly mode: EntryMode; readonly permissions: number; readonly stamp: string }

export async function readTarget(path: Buffer): Promise<Target> {
  return targetOf(await lstat(path, { bigint: true }).catch(absentOrThrow))
}

/** The same at once, for where nothing may happen between looking and acting. */
export function readTargetNow(path: Buffer): Target {
  try {
    return targetOf(lstatSync(path, { bigint: true }))
  } catch (error) {
    return targetOf(absentOrThrow(error))
  }
}

function targetOf(entry: BigIntStats | null): Target {
  if (entry === null) return { kind: 'absent' }
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
  return (await hashObject(path, target.mode, entry.object.length)) === entry.object
}

/** The file or link at a path as a tree would name it; null where there is none. */
export async function entryAt(path: Buffer, nameLength: number): Promise<TreeEntry | null> {
  const target = await readTarget(path)
  if (target.kind !== 'entry') return null
  return { mode: target.mode, object: await hashObject(path, target.mode, nameLength) }
}

// The same name git gives the bytes; SHA-256 repositories have longer ones.
async function hashObject(path: Buffer, mode: EntryMode, nameLength: number): Promise<string> {
  const hash = createHash(nameLength === 64 ? 'sha256' : 'sha1')
  if (mode === '120000') {
    const link = await readlink(path, { encoding: 'buffer' })
    return hash.update(`blob ${link.length}\0`).update(link).digest('hex')
  }
  const { size } = await lstat(path)
  hash.update(`blob ${size}\0`)
  // A stream costs more than reading a small file.
  if (size <= SMALL_BYTES) return hash.update(await readFile(path)).digest('hex')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

const SMALL_BYTES = 1024 * 1024

function absentOrThrow(error: unknown): null {
  if (isNothingThere(error)) return null
  throw error
}
