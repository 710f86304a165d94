import { rmSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { FailureError } from '../../../domain/failure.ts'
import { type Migration, rewritesData, sqlOf } from './migrations.ts'
import { newerStore } from './store-failures.ts'

/**
 * Brings the store to the newest version. All steps are one transaction: either the program runs on the new version
 * or the old program still finds its own. Where rows are rewritten, the steps run on a copy first, and the store as
 * it was is kept beside it.
 */
export function migrate(db: SQLite.Database, migrations: readonly Migration[]): void {
  if (versionOf(db) === migrations.length) return
  // Tables are rebuilt under their references, which are checked before the commit instead. No effect inside a transaction.
  db.pragma('foreign_keys = OFF')
  db.exec('BEGIN IMMEDIATE')
  try {
    migrateInTransaction(db, migrations)
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.pragma('foreign_keys = ON')
  }
}

/** Others may have been here between our first look and the lock. */
function migrateInTransaction(db: SQLite.Database, migrations: readonly Migration[]): void {
  const version = versionOf(db)
  if (version > migrations.length) throw new FailureError(newerStore(db.name, version, migrations.length))
  const steps = migrations.slice(version).map(migration => ({ ...migration, sql: sqlOf(migration) }))
  if (version > 0 && steps.some(({ sql }) => rewritesData(sql))) rehearse(db.name, version, steps)
  runSteps(db, steps)
}

interface Step extends Migration {
  readonly sql: string
}

/** The lock is held, so the copy is the store as it is until the commit; it stays as the backup. */
function rehearse(file: string, version: number, steps: readonly Step[]): void {
  const backup = `${file}.version-${version}`
  const trial = `${file}.trial`
  copy(file, backup)
  copy(file, trial)
  try {
    const db = new SQLite(trial)
    try {
      db.transaction(() => runSteps(db, steps))()
      check(db)
    } finally {
      db.close()
    }
  } finally {
    rmSync(trial, { force: true })
  }
}

function copy(from: string, to: string): void {
  rmSync(to, { force: true })
  const source = new SQLite(from, { readonly: true })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
  const db = new SQLite(to, { readonly: true })
  try {
    check(db)
  } finally {
    db.close()
  }
}

function check(db: SQLite.Database): void {
  const answer = db.pragma('integrity_check', { simple: true })
  if (answer !== 'ok') throw new Error(`${db.name} did not pass its check: ${answer}`)
}

function runSteps(db: SQLite.Database, steps: readonly Step[]): void {
  for (const { version, sql } of steps) {
    db.exec(sql)
    db.pragma(`user_version = ${version}`)
  }
  const broken = db.prepare('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw new Error(`${broken.length} references lead nowhere after the migration`)
}

export function versionOf(db: SQLite.Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}
