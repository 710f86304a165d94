import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { EntryMode } from './tree-diff.ts'

export interface IndexRow {
  readonly path: Buffer
  readonly mode: EntryMode
  readonly object: string
  /** How the file looked when its content was read; null: git reads it again. */
  readonly stat: BigIntStats | null
}

/**
 * An index as git writes it, version 2. Git itself fills in file times only by reading every file once more, which on a
 * large folder costs as much as copying it.
 */
export async function writeIndex(file: string, rows: readonly IndexRow[]): Promise<void> {
  const sorted = rows.toSorted((a, b) => Buffer.compare(a.path, b.path))
  const header = Buffer.alloc(12)
  header.write('DIRC', 0, 'latin1')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(sorted.length, 8)
  const content = Buffer.concat([header, ...sorted.map(entryOf)])
  const algorithm = sorted[0]?.object.length === SHA256_LENGTH ? 'sha256' : 'sha1'
  await writeFile(file, Buffer.concat([content, createHash(algorithm).update(content).digest()]))
}

function entryOf({ path, mode, object, stat }: IndexRow): Buffer {
  const id = Buffer.from(object, 'hex')
  const fixed = STAT_BYTES + id.length + 2
  // At least one NUL ends the name; more fill up to a multiple of eight.
  const entry = Buffer.alloc(fixed + path.length + 8 - ((fixed + path.length) % 8))
  if (stat !== null) statBytes(stat).copy(entry)
  entry.writeUInt32BE(Number.parseInt(mode, 8), MODE_AT * 4)
  id.copy(entry, STAT_BYTES)
  entry.writeUInt16BE(Math.min(path.length, 0xfff), STAT_BYTES + id.length)
  path.copy(entry, fixed)
  return entry
}

/** What an index keeps of a file's looks; the place of its mode is left empty. */
export function statBytes(stat: BigIntStats): Buffer {
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stat
  const numbers = [
    ctimeNs / BILLION,
    ctimeNs % BILLION,
    mtimeNs / BILLION,
    mtimeNs % BILLION,
    dev,
    ino,
    0n,
    uid,
    gid,
    size,
  ]
  const bytes = Buffer.alloc(STAT_BYTES)
  for (const [position, number] of numbers.entries())
    bytes.writeUInt32BE(Number(number & 0xffffffffn), position * 4)
  return bytes
}

const BILLION = 1_000_000_000n
const STAT_BYTES = 40
const MODE_AT = 6
const SHA256_LENGTH = 64
