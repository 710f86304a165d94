import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { ok, type Result } from '../../../domain/failure.ts'
import type { ApplyConflict, ApplyReport } from '../../../domain/sandbox/strategy.ts'
import { pathOf } from '../row-changes.ts'
import { applied, type Work } from './apply-work.ts'
import { attach, compareSchemas, openState } from './compare.ts'
import { openPlainly } from './lay-changes.ts'
import type { SQLite } from './load.ts'

/**
 * Changes of tables themselves, and of rows without keys, cannot be merged. They are laid over as a whole, which is
 * right only while the user's database is what the plan began with.
 */
export async function applyWhole(work: Work): Promise<Result<ApplyReport>> {
  const { sqlite, resource, location, files, chosen, request } = work
  using watch = watchFor(sqlite, location)
  const paths = chosen.map(change => pathOf(resource, change))
  if (isLike(sqlite, location, files.to))
    return ok({ ...applied, written: [], unchanged: paths, left: [], notices: [], state: request.to })
  const isUntouched = isLike(sqlite, location, files.from)
  if (!isUntouched || !work.isWhole)
    return ok({ outcome: 'constrained', conflicts: wholeOnly(work, isUntouched) })
  if (work.purpose === 'write') await request.note?.(request.from)
  if (work.purpose === 'write' && !(await layOver(sqlite, files.to, location, watch)))
    return ok({ outcome: 'constrained', conflicts: wholeOnly(work, false) })
  return ok({ ...applied, written: paths, unchanged: [], left: [], notices: [], state: request.to })
}

function wholeOnly({ resource, chosen }: Work, isUntouched: boolean): ApplyConflict[] {
  const why = isUntouched
    ? 'it can only be applied together with every other change of this database'
    : 'it can only be applied while your database is as it was when the plan began, and it was changed'
  return chosen
    .filter(change => !change.hasKeys)
    .map(change => {
      const path = pathOf(resource, change)
      const what = change.oldSql === change.newSql ? 'its rows have no primary key' : 'its schema changes'
      return { path, kind: 'foreign', reason: `${path}: ${what}, so ${why}.` }
    })
}

function isLike(sqlite: SQLite, location: string, file: string): boolean {
  const db = openPlainly(sqlite, location)
  try {
    attach(db, file, 'plan')
    return compareSchemas(db, 'main', 'plan').length === 0
  } finally {
    db.close()
  }
}

interface Watch extends Disposable {
  /** Whether anybody has written in the database since; true also where nobody can tell. */
  wasWritten(): boolean
}

/**
 * Begins before the look. A log shows others' commits in its version; without one each commit counts up in the header of
 * the file, by which SQLite itself knows whether what it has read is still so.
 * https://www.sqlite.org/fileformat.html#file_change_counter
 */
function watchFor({ DatabaseSync }: SQLite, location: string): Watch {
  const db = new DatabaseSync(location, { timeout: 0 })
  // Closing it would give up every lock that this process has on the file, so it stays open as long as the watch.
  const file = openSync(location, 'r')
  const version = () => db.prepare('PRAGMA main.data_version').get()?.['data_version']
  const header = () => {
    const bytes = Buffer.alloc(HEADER_BYTES)
    readSync(file, bytes, 0, HEADER_BYTES, 0)
    const { ino, size } = statSync(location, { bigint: true })
    return `${ino} ${size} ${bytes.toString('hex')}`
  }
  const hasLog = db.prepare('PRAGMA main.journal_mode').get()?.['journal_mode'] === 'wal'
  const mark = hasLog ? version : header
  const before = mark()
  return {
    wasWritten: () => mark() !== before,
    [Symbol.dispose]() {
      closeSync(file)
      db.close()
    },
  }
}

const HEADER_BYTES = 100

/**
 * By SQLite's own backup: one transaction of the user's database, which a crash undoes. Only the backup itself can lock
 * its target, which it does at its first step; whether it is still what was looked at is asked then, and nothing is
 * written when it is not. The first step is small, so that no page of it reaches the file before. False: not written.
 */
async function layOver(sqlite: SQLite, from: string, location: string, watch: Watch): Promise<boolean> {
  using db = openState(sqlite, from)
  const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count'] ?? 1)
  // A database without any table is one page, laid in a single step that nobody can look into.
  if (watch.wasWritten()) return false
  let isLocked = false
  const progress = () => {
    if (isLocked) return
    isLocked = true
    if (watch.wasWritten()) throw new WrittenMeanwhile()
  }
  try {
    await sqlite.backup(db, location, { rate: Math.max(1, Math.min(16, pages - 1)), progress })
    return true
  } catch (error) {
    if (error instanceof WrittenMeanwhile) return false
    throw error
  }
}

/** Ends a backup, which takes back what it has done. */
class WrittenMeanwhile extends Error {}
