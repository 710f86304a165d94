import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { Resource } from '../../../domain/resource.ts'
import { type ObjectChange, pathOf } from '../row-changes.ts'
import type { TransactionDriver } from '../transaction-driver.ts'
import { brokenReferences } from './broken-references.ts'
import { attachReadOnly, compareSchemas } from './compare.ts'
import { openPlainly } from './lay-changes.ts'
import type { SQLite } from './load.ts'
import { meet } from './merge-rows.ts'
import { runStatement } from './run-statement.ts'
import { schemaOf, shapeOf } from './shape.ts'

/** A second look at the same file, through the same connection, sees what was committed. */
const COMMITTED = 'committed'

export function beginOnSQLite(sqlite: SQLite, { name, location }: Resource): Result<TransactionDriver> {
  const db = new sqlite.DatabaseSync(location, { timeout: 5_000, readBigInts: true })
  try {
    const mode = db.prepare('PRAGMA journal_mode').get()?.['journal_mode']
    if (mode !== 'wal') {
      db.close()
      return refuseWithoutLog(name)
    }
    attachReadOnly(db, location, COMMITTED)
    // Deferred, the first write would fail once anybody else had written after our first read.
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    if (db.isOpen) db.close()
    throw error
  }
  let lost: string | null = null
  const quoted = (savepoint: string) => `"${savepoint}"`

  return ok({
    lost: async () => {
      if (lost === null && !db.isTransaction) lost = 'a statement ended it, e.g. by OR ROLLBACK'
      return lost
    },
    run: async (access, statement) => runStatement(sqlite, db, { resource: name, access }, statement),
    savepoint: async savepoint => db.exec(`SAVEPOINT ${quoted(savepoint)}`),
    rollbackTo: async savepoint => db.exec(`ROLLBACK TO ${quoted(savepoint)}`),
    changes: async () => compareSchemas(db, COMMITTED, 'main'),
    obstacles: async () =>
      [...new Set([...brokenReferences(db)].map(each => each.split(' ')[0] ?? ''))].map(table => {
        const path = pathOf(name, { kind: 'table', name: table })
        return { path, kind: 'content', reason: `${path}: rows refer to rows that are not there.` }
      }),
    commit: async () => db.exec('COMMIT'),
    end: async () => {
      lost = 'it was ended'
      if (db.isOpen) db.close()
    },
  })
}

/**
 * Whether the database, as others see it, is as these changes would make it. Null when it shows no sign: rows without
 * keys may be anybody's.
 */
export function hasChanges(
  sqlite: SQLite,
  { name, location }: Resource,
  changes: readonly ObjectChange[],
): boolean | null {
  const db = openPlainly(sqlite, location)
  try {
    const schema = schemaOf(db, 'main')
    let hasSign = false
    for (const change of changes.filter(({ kind }) => kind !== 'setting')) {
      const isNewSchema = change.oldSql !== change.newSql
      if ((schema.get(`${change.kind} ${change.name}`)?.sql ?? null) !== change.newSql) return false
      if (isNewSchema) hasSign = true
      if (!change.hasKeys) continue
      const meeting = meet(
        db,
        { resource: name, sides: 'you and the plan' },
        change,
        shapeOf(db, 'main', change.name),
      )
      if (meeting.due.length > 0 || meeting.conflicts.length > 0) return false
      hasSign = true
    }
    return hasSign ? true : null
  } finally {
    db.close()
  }
}

export function refuseWithoutLog(name: string) {
  return refuse(
    'not_available',
    `The database ${name} has no write-ahead log, so that an open transaction would keep everybody from reading it. Switch it on with PRAGMA journal_mode = WAL, or register the resource with --mode copy.`,
    { database: name },
  )
}
