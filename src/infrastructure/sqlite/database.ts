/**
 * One SQLite file a user, shared by every backend and command that runs. What lies here knows rows and locks; what a
 * plan may do is decided elsewhere. Begin with `openDatabase`, then `store.ts`.
 */
import { closeSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { FailureError, type Result } from '../../domain/failure.ts'
import { makeFolders } from '../files/make-folders.ts'
import { PATIENCE, type Patience, withPatience } from './opening/busy.ts'
import { fileVersion } from './opening/file-version.ts'
import { migrate } from './opening/migrate.ts'
import { type Migration, migrationsIn } from './opening/migrations.ts'
import { newerStore } from './opening/store-failures.ts'

export interface DatabaseOptions {
  readonly dataDir: string
  readonly migrationsFolder: string
  readonly patience?: Patience
}

export interface OpenDatabase {
  readonly db: SQLite.Database
  readonly file: string
  readonly version: number
  readonly patience: Patience
}

/** Opens the store, making and upgrading it as needed. Refuses a newer, damaged or locked one and leaves it as it is. */
export function openDatabase(options: DatabaseOptions): Result<OpenDatabase> {
  const { dataDir, patience = PATIENCE } = options
  const file = join(dataDir, 'store.db')
  const migrations = migrationsIn(options.migrationsFolder)
  try {
    return withPatience(file, patience, () => {
      const found = fileVersion(file)
      if (!found.ok) return found
      if (found.value > migrations.length)
        return { ok: false, failure: newerStore(file, found.value, migrations.length) }
      const db = connect(file, migrations, patience)
      return { ok: true, value: { db, file, version: migrations.length, patience } }
    })
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure }
    throw error
  }
}

function connect(file: string, migrations: readonly Migration[], patience: Patience): SQLite.Database {
  createForOwnerOnly(file)
  const db = new SQLite(file, { timeout: patience.timeoutMs })
  try {
    if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = WAL')
    // The journal promises that what was recorded survives a power cut, so each commit reaches the disk.
    db.pragma('synchronous = FULL')
    migrate(db, migrations)
    db.pragma('foreign_keys = ON')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite gives its log and its index the rights of the file itself. */
function createForOwnerOnly(file: string): void {
  makeFolders(dirname(file))
  closeSync(openSync(file, 'a', 0o600))
}
