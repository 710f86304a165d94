import { chmod, lstat, rm } from 'node:fs/promises'
import SQLite from 'better-sqlite3'
import { lstatIfThere } from '../writes/lstat-if-there.ts'
import { readStart } from './read-start.ts'

/** SQLite databases begin with their name. */
export function isDatabase(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, HEADER.length)).equals(HEADER)
}

const HEADER = Buffer.from('SQLite format 3\0')

/** Whether a program has it open with something that is not in the file yet: then its bytes alone may be torn. */
export function isInUse(database: Buffer): boolean {
  // A log without its shared memory was left by a program that is gone; it is copied like any other file.
  if (sizeOf(database, '-wal') > 0 && sizeOf(database, '-shm') >= 0) return true
  return sizeOf(database, '-journal') > 0
}

/** A copy of an open database has all its contents; the old log beside it would damage it. */
export function belongsToOpenDatabase(file: Buffer): boolean {
  const base = /^(.+)-(?:wal|shm|journal)$/s.exec(file.toString('latin1'))?.[1]
  if (base === undefined) return false
  const database = Buffer.from(base, 'latin1')
  return isDatabase(readStart(database)) && isInUse(database)
}

/**
 * Copies a database that another program may be writing, as that program would see it: whole, whatever is in its log.
 * The original is opened for reading only. False when the other program does not let go of it.
 */
export async function copyDatabase(from: Buffer, to: Buffer): Promise<boolean> {
  const { mode } = await lstat(from)
  await rm(to, { force: true })
  try {
    const opened = new SQLite(textOf(from), { readonly: true, fileMustExist: true, timeout: 5000 })
    try {
      await opened.backup(textOf(to))
    } finally {
      opened.close()
    }
  } catch (error) {
    await rm(to, { force: true })
    if (error instanceof SQLite.SqliteError) return false
    throw error
  }
  await chmod(to, mode & 0o777)
  return true
}

function sizeOf(database: Buffer, suffix: string): number {
  const beside = lstatIfThere(Buffer.concat([database, Buffer.from(suffix)]))
  return beside === undefined ? -1 : beside.size
}

function textOf(path: Buffer): string {
  const text = path.toString()
  if (Buffer.from(text).equals(path)) return text
  throw new SQLite.SqliteError(`${text}: its name is not UTF-8`, 'SQLITE_CANTOPEN')
}
