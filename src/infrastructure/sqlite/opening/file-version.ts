import { closeSync, openSync, readSync, statSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import type { Result } from '../../../domain/failure.ts'
import { versionOf } from './migrate.ts'
import { damagedStore } from './store-failures.ts'

/**
 * The version of a store that may be newer than this program, read without changing anything: from the bytes of its
 * header, and where a process ended before its log was folded in, through a connection that cannot write.
 * 0 for a store that is not there yet.
 */
export function fileVersion(file: string): Result<number> {
  const header = readHeader(file)
  if (header.length === 0) return { ok: true, value: 0 }
  if (header.length < HEADER_LENGTH || header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return { ok: false, failure: damagedStore(file) }
  return { ok: true, value: hasLog(file) ? versionThroughLog(file) : header.readUInt32BE(VERSION_AT) }
}

/** The header as the file format defines it: https://www.sqlite.org/fileformat.html#the_database_header */
const HEADER_LENGTH = 100
const MAGIC = 'SQLite format 3\0'
const VERSION_AT = 60

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_LENGTH)
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (isMissing(error)) return header.subarray(0, 0)
    throw error
  }
  try {
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_LENGTH, 0))
  } finally {
    closeSync(descriptor)
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

function versionThroughLog(file: string): number {
  const db = new SQLite(file, { readonly: true })
  try {
    return versionOf(db)
  } finally {
    db.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
