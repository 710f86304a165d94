/** The list of files that git keeps as its index, read in this process: asking git for it costs more than the reading. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ifThere } from '../writes/lstat-if-there.ts'
import type { IndexEntry } from './index-entries.ts'

export interface ReadIndex {
  readonly entries: readonly IndexedEntry[]
  /** The tree of all of them, where git noted it and no entry was changed since. */
  readonly tree: string | null
}

export interface IndexedEntry extends IndexEntry {
  readonly object: string
  /** Neither one side of a conflict nor a mere announcement of a file. */
  readonly isSettled: boolean
  /** What the file looked like on the disk, as the index says it. */
  readonly stat: Buffer
}

/** Null where git has to read it: a form this does not know, parts in another file, or no valid sum at the end. */
export function readIndex(file: string): ReadIndex | null {
  const bytes = ifThere(() => readFileSync(file))
  if (bytes === undefined) return { entries: [], tree: null }
  const idBytes = bytes.length > HEADER_BYTES ? idBytesOf(bytes) : null
  if (idBytes === null || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const entries: IndexedEntry[] = []
  let at = HEADER_BYTES
  let previous: Buffer = Buffer.alloc(0)
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const next = readEntry(bytes, at, { idBytes, version, previous })
    entries.push(next.entry)
    previous = next.entry.path
    at = next.end
  }
  const extensions = readExtensions(bytes.subarray(at, bytes.length - idBytes))
  // What must be understood to read the rest has a name that begins with a small letter.
  if ([...extensions.keys()].some(name => /^[a-z]/.test(name))) return null
  return { entries, tree: readTree(extensions.get('TREE'), idBytes) }
}

const HEADER_BYTES = 12

/** The sum at the end says how long the names of objects are, and that nothing is missing. */
function idBytesOf(bytes: Buffer): number | null {
  for (const [algorithm, length] of [['sha1', 20] as const, ['sha256', 32] as const]) {
    const end = bytes.length - length
    if (createHash(algorithm).update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end)))
      return length
  }
  return null
}

interface Form {
  readonly idBytes: number
  readonly version: number
  /** The path before, of which version 4 repeats the beginning. */
  readonly previous: Buffer
}

function readEntry(bytes: Buffer, at: number, { idBytes, version, previous }: Form) {
  const flagsAt = at + STAT_BYTES + idBytes
  const flags = bytes.readUInt16BE(flagsAt)
  const isLong = (flags & 0x4000) !== 0
  const more = isLong ? bytes.readUInt16BE(flagsAt + 2) : 0
  const nameAt = flagsAt + (isLong ? 4 : 2)
  const { path, end } = version === 4 ? readShortened(bytes, nameAt, previous) : readPadded(bytes, at, nameAt)
  const entry: IndexedEntry = {
    path,
    mode: bytes
      .readUInt32BE(at + MODE_AT)
      .toString(8)
      .padStart(6, '0'),
    isAssumedUnchanged: (flags & 0x8000) !== 0,
    isSkipped: (more & 0x4000) !== 0,
    isSettled: (flags & 0x3000) === 0 && (more & 0x2000) === 0,
    object: bytes.toString('hex', at + STAT_BYTES, flagsAt),
    stat: bytes.subarray(at, at + STAT_BYTES),
  }
  return { entry, end }
}

const STAT_BYTES = 40
const MODE_AT = 24

/** At least one NUL ends the name; more fill up to a multiple of eight. */
function readPadded(bytes: Buffer, at: number, nameAt: number): { path: Buffer; end: number } {
  const path = bytes.subarray(nameAt, bytes.indexOf(0, nameAt))
  const length = nameAt - at + path.length
  return { path, end: at + length + 8 - (length % 8) }
}

/** First how many bytes of the path before are not part of this one, then what comes instead. */
function readShortened(bytes: Buffer, at: number, previous: Buffer): { path: Buffer; end: number } {
  let dropped = (bytes[at] ?? 0) & 0x7f
  let position = at
  while ((bytes[position] ?? 0) & 0x80) dropped = ((dropped + 1) << 7) | ((bytes[++position] ?? 0) & 0x7f)
  const end = bytes.indexOf(0, position + 1)
  const kept = previous.subarray(0, previous.length - dropped)
  return { path: Buffer.concat([kept, bytes.subarray(position + 1, end)]), end: end + 1 }
}

/** A name of four letters and a length before each. */
function readExtensions(bytes: Buffer): Map<string, Buffer> {
  const extensions = new Map<string, Buffer>()
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4)
    extensions.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, end))
    at = end
  }
  return extensions
}

/** "\0<entries> <folders>\n<object>" for the root, then the same for the folders; -1 entries: it changed since. */
function readTree(extension: Buffer | undefined, idBytes: number): string | null {
  if (extension === undefined || extension[0] !== 0) return null
  const end = extension.indexOf(0x0a)
  if (end < 0 || extension.toString('latin1', 1, end).startsWith('-')) return null
  return extension.toString('hex', end + 1, end + 1 + idBytes)
}
