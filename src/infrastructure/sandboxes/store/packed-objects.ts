/** Objects that git has put together in a pack, read in this process. Where this cannot, git is asked. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import type { StoredObject } from './loose-objects.ts'

/** An object of a pack; null when it is in none, or is one that is better left to git. */
export function readPacked(gitDir: string, id: string): StoredObject | null {
  const folder = join(gitDir, 'objects', 'pack')
  for (const name of packsIn(folder)) {
    const pack = join(folder, name.replace(/\.idx$/, '.pack'))
    const index = indexOf(join(folder, name))
    const offset = index === null ? null : offsetOf(index, id)
    if (index === null || offset === null) continue
    return withFile(pack, file => readAt({ file, index, idBytes: id.length / 2 }, offset, 0))
  }
  return null
}

function packsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.idx'))
  } catch {
    return []
  }
}

/** A pack never changes under its name, so its index is read once. Those of a few plans are kept. */
const indexes = new Map<string, Buffer>()
const MOST_INDEXES = 8
const MAX_INDEX_BYTES = 16 * 1024 * 1024

function indexOf(file: string): Buffer | null {
  const known = indexes.get(file)
  if (known) return known
  const bytes = readFileSync(file)
  if (bytes.length > MAX_INDEX_BYTES || bytes.readUInt32BE(0) !== 0xff744f63 || bytes.readUInt32BE(4) !== 2)
    return null
  const oldest = indexes.size < MOST_INDEXES ? undefined : indexes.keys().next().value
  if (oldest !== undefined) indexes.delete(oldest)
  indexes.set(file, bytes)
  return bytes
}

const FANOUT_AT = 8
const NAMES_AT = FANOUT_AT + 256 * 4

// All names in order, then a sum for each, then an offset for each; a count by first byte leads into the names.
function offsetOf(index: Buffer, id: string): number | null {
  const name = Buffer.from(id, 'hex')
  const first = name[0] ?? 0
  const countUpTo = (byte: number) => (byte < 0 ? 0 : index.readUInt32BE(FANOUT_AT + byte * 4))
  const total = countUpTo(255)
  let [low, high] = [countUpTo(first - 1), countUpTo(first)]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = NAMES_AT + middle * name.length
    const order = Buffer.compare(index.subarray(at, at + name.length), name)
    if (order === 0) {
      const offset = index.readUInt32BE(NAMES_AT + total * (name.length + 4) + middle * 4)
      // Beyond two gigabytes it stands elsewhere.
      return offset < 0x80000000 ? offset : null
    }
    if (order < 0) low = middle + 1
    else high = middle
  }
  return null
}

interface Pack {
  readonly file: number
  readonly index: Buffer
  readonly idBytes: number
}

const TYPES = new Map([
  [1, 'commit'],
  [2, 'tree'],
  [3, 'blob'],
] as const)
const BASE_BEFORE = 6
const BASE_BY_NAME = 7
const MAX_OBJECT_BYTES = 1024 * 1024
const MOST_DELTAS = 60

function readAt(pack: Pack, offset: number, deltas: number): StoredObject | null {
  const head = read(pack.file, offset, 64)
  let at = 0
  let byte = head[at++] ?? 0
  const kind = (byte >> 4) & 7
  let size = byte & 15
  for (let shift = 4; byte & 0x80; shift += 7) {
    byte = head[at++] ?? 0
    size += (byte & 0x7f) * 2 ** shift
  }
  if (size > MAX_OBJECT_BYTES || deltas > MOST_DELTAS) return null
  const type = TYPES.get(kind as 1 | 2 | 3) // any other number is not found
  if (type) return { type, content: inflated(pack.file, offset + at, size) }
  if (kind !== BASE_BEFORE && kind !== BASE_BY_NAME) return null
  const base = kind === BASE_BEFORE ? distance(head, at) : named(pack, head, at)
  if (base === null) return null
  const from = readAt(pack, kind === BASE_BEFORE ? offset - base.value : base.value, deltas + 1)
  return from && { ...from, content: applyDelta(from.content, inflated(pack.file, offset + base.end, size)) }
}

function distance(head: Buffer, start: number): { value: number; end: number } {
  let at = start
  let byte = head[at++] ?? 0
  let value = byte & 0x7f
  while (byte & 0x80) {
    byte = head[at++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end: at }
}

function named({ index, idBytes }: Pack, head: Buffer, at: number): { value: number; end: number } | null {
  const value = offsetOf(index, head.toString('hex', at, at + idBytes))
  return value === null ? null : { value, end: at + idBytes }
}

/** What follows the object in the pack is read along, and is not part of it. */
function inflated(file: number, offset: number, size: number): Buffer {
  return inflateSync(read(file, offset, size + Math.ceil(size / 1000) + 128))
}

/** A delta says, step by step, which part of the base to copy or which bytes to insert. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const pieces: Buffer[] = []
  let at = afterNumber(delta, afterNumber(delta, 0))
  while (at < delta.length) {
    const step = delta[at++] ?? 0
    if (!(step & 0x80)) {
      pieces.push(delta.subarray(at, at + step))
      at += step
      continue
    }
    const numbers = [0, 1, 2, 3, 4, 5, 6].map(bit => (step & (1 << bit) ? (delta[at++] ?? 0) : 0))
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = numbers
    const from = a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24
    const length = e + f * 2 ** 8 + g * 2 ** 16 || 0x10000
    pieces.push(base.subarray(from, from + length))
  }
  return Buffer.concat(pieces)
}

function afterNumber(bytes: Buffer, start: number): number {
  let at = start
  while ((bytes[at] ?? 0) & 0x80) at++
  return at + 1
}

function read(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

function withFile<Value>(path: string, use: (file: number) => Value): Value {
  const file = openSync(path, 'r')
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}
