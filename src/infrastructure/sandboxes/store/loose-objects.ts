/**
 * Objects as git keeps them, each a file of its own, written and read in this process: starting git costs more than the
 * work of a checkpoint. Git reads what is written here, and the other way round unless git has packed it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { readPacked } from './packed-objects.ts'

export interface StoredObject {
  readonly type: 'blob' | 'tree' | 'commit'
  readonly content: Buffer
}

/** Writes an object unless it is there, and reads it back from the disk before its name is given out. */
export function writeObject(gitDir: string, object: StoredObject, idLength: number): string {
  const bytes = bytesOf(object)
  const id = idOf(bytes, idLength)
  if (readObject(gitDir, id)) return id
  const file = placeOf(gitDir, id)
  // A name that the sweeping after a full disk knows.
  const temporary = join(gitDir, 'objects', id.slice(0, 2), `tmp_obj_${randomUUID()}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(temporary, deflateSync(bytes, { level: 1 }), { flag: 'wx', mode: 0o444 })
  renameSync(temporary, file)
  if (readObject(gitDir, id) === null) throw new Error(`The object ${id} cannot be read back`)
  return id
}

/** The object wherever it is kept, or null when git has to be asked for it, as for one that is big. */
export function findObject(gitDir: string, id: string): StoredObject | null {
  return readObject(gitDir, id, MAX_BYTES) ?? packedObject(gitDir, id)
}

const MAX_BYTES = 1024 * 1024

/** Whatever is wrong with what was read shows in its name. */
function packedObject(gitDir: string, id: string): StoredObject | null {
  try {
    const found = readPacked(gitDir, id)
    return found !== null && idOf(bytesOf(found), id.length) === id ? found : null
  } catch {
    return null
  }
}

function bytesOf({ type, content }: StoredObject): Buffer {
  return Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
}

/** The object, or null when it is not here as a whole and undamaged file. */
export function readObject(gitDir: string, id: string, maxBytes?: number): StoredObject | null {
  const bytes = inflated(placeOf(gitDir, id), maxBytes)
  if (bytes === null || idOf(bytes, id.length) !== id) return null
  const end = bytes.indexOf(0)
  const type = bytes.subarray(0, bytes.indexOf(0x20)).toString('latin1')
  if (type !== 'blob' && type !== 'tree' && type !== 'commit') return null
  return { type, content: bytes.subarray(end + 1) }
}

function inflated(file: string, maxBytes?: number): Buffer | null {
  try {
    if (maxBytes === undefined) return inflateSync(readFileSync(file))
    if (statSync(file).size > maxBytes) return null
    return inflateSync(readFileSync(file), { maxOutputLength: maxBytes })
  } catch {
    return null
  }
}

function idOf(bytes: Buffer, idLength: number): string {
  return createHash(idLength === SHA1_LENGTH ? 'sha1' : 'sha256')
    .update(bytes)
    .digest('hex')
}

function placeOf(gitDir: string, id: string): string {
  return join(gitDir, 'objects', id.slice(0, 2), id.slice(2))
}

const SHA1_LENGTH = 40
