import { copyFileSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Row, RowChange } from '../row-changes.ts'
import { attach } from './compare.ts'
import type { SQLite } from './load.ts'
import { identifier, schemaOf, shapeOf, type TableShape } from './shape.ts'

export interface TableRows {
  readonly table: string
  readonly rows: readonly RowChange[]
}

/**
 * Makes the changes on a copy of the state they were made on, watched by a session, which writes them down as SQLite's
 * own change sets, one a table. The copy is then that state with these changes.
 */
export function changesetsOn(
  sqlite: SQLite,
  { base, after, copy }: { readonly base: string; readonly after: string; readonly copy: string },
  tables: readonly TableRows[],
): Map<string, Uint8Array> {
  copyFileSync(base, copy)
  const db = openPlainly(sqlite, copy)
  try {
    // A copy of a state is ours alone: no log, and triggers have had their effects already.
    db.exec('PRAGMA journal_mode = DELETE')
    attach(db, after, 'after')
    return withoutTriggers(db, () => {
      const changesets = new Map<string, Uint8Array>()
      for (const { table, rows } of tables) {
        const session = db.createSession({ table })
        changeRows(db, shapeOf(db, 'main', table), rows)
        changesets.set(table, session.changeset())
        session.close()
      }
      return changesets
    })
  } finally {
    db.close()
  }
}

/** Neither references nor their consequences are this connection's business: the rows are taken as they were made. */
export function openPlainly({ DatabaseSync }: SQLite, file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: false, readBigInts: true })
}

/** Triggers did their work when the rows were first changed; it is part of the changes. */
export function withoutTriggers<Value>(db: DatabaseSync, work: () => Value): Value {
  const triggers = [...schemaOf(db, 'main').values()].filter(object => object.kind === 'trigger')
  const isOwnTransaction = !db.isTransaction
  if (isOwnTransaction) db.exec('BEGIN IMMEDIATE')
  for (const { name } of triggers) db.exec(`DROP TRIGGER main.${identifier(name)}`)
  const value = work()
  for (const { sql } of triggers) db.exec(sql)
  if (isOwnTransaction) db.exec('COMMIT')
  return value
}

/** Values go from file to file: not every text that SQLite holds survives being a string here. */
export function changeRows(db: DatabaseSync, shape: TableShape, rows: readonly RowChange[]): void {
  const table = identifier(shape.name)
  const columns = shape.columns.map(identifier).join(', ')
  const condition = shape.key.map(name => `${identifier(name)} IS ?`).join(' AND ')
  const remove = db.prepare(`DELETE FROM main.${table} WHERE ${condition}`)
  const insert = db.prepare(
    `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM after.${table} WHERE ${condition}`,
  )
  // All that goes goes first: a value that must be unique may have moved from one row to another.
  for (const { old } of rows) if (old !== null) remove.run(...keyOf(shape, old))
  for (const { new: fresh } of rows) if (fresh !== null) insert.run(...keyOf(shape, fresh))
}

function keyOf({ columns, key }: TableShape, row: Row): SQLInputValue[] {
  return key.map(name => row[columns.indexOf(name)] ?? null)
}
