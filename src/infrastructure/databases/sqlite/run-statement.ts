import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { Statement, StatementResult } from '../../../domain/sandbox/database.ts'
import { type Cell, tablePath } from '../row-changes.ts'
import { jsonCell, takeRows } from '../statement-rows.ts'
import type { SQLite } from './load.ts'
import { isSQLiteError, sqliteFailure } from './sqlite-failure.ts'

export interface Allowed {
  readonly resource: string
  readonly access: 'query' | 'change'
}

/**
 * Runs one statement, watched by SQLite's authorizer: it may not end or nest transactions, reach other files or change
 * how the connection works, and a query may not write.
 */
export function runStatement(
  sqlite: SQLite,
  db: DatabaseSync,
  { resource, access }: Allowed,
  statement: Statement,
): Result<StatementResult> {
  const seen = { read: new Set<string>(), written: new Set<string>(), denied: '' }
  db.setAuthorizer((action, first, second) => {
    const verdict = judge(sqlite, access, { action, first, second }, seen)
    if (verdict !== null) seen.denied = verdict
    return verdict === null ? sqlite.constants.SQLITE_OK : sqlite.constants.SQLITE_DENY
  })
  try {
    const prepared = db.prepare(statement.sql)
    if (!isOnlyStatement(statement.sql, prepared)) return refuseSeveral()
    return ok({
      ...execute(db, prepared, statement),
      notice: null,
      read: [...seen.read].sort().map(table => tablePath(resource, table)),
      written: [...seen.written].sort().map(table => tablePath(resource, table)),
    })
  } catch (error) {
    if (seen.denied !== '') return refuse('denied', `The statement was not run: ${seen.denied}.`)
    return refuseStatement(error, resource)
  } finally {
    db.setAuthorizer(null)
  }
}

interface Wish {
  readonly action: number
  readonly first: string | null
  readonly second: string | null
}

/** Why this part of a statement is not allowed; null when it is. */
function judge(
  { constants }: SQLite,
  access: Allowed['access'],
  { action, first, second }: Wish,
  seen: { readonly read: Set<string>; readonly written: Set<string> },
): string | null {
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_FUNCTION:
      return null
    case constants.SQLITE_READ:
      if (first && isOwn(first)) seen.read.add(first)
      return null
    case constants.SQLITE_PRAGMA:
      if (first !== null && readingPragmas.has(first.toLowerCase())) return null
      return `PRAGMA ${first} is not allowed here`
    case constants.SQLITE_TRANSACTION:
    case constants.SQLITE_SAVEPOINT:
      return 'transactions belong to the plan; its checkpoints take their place'
    case constants.SQLITE_ATTACH:
    case constants.SQLITE_DETACH:
      return 'other database files may not be reached'
    case constants.SQLITE_RECURSIVE:
      return 'a recursive query may have no end, and could not be stopped'
    default:
      break
  }
  if (access === 'query') return 'it writes; use builtin/change_database'
  const table = namedSecond(constants).includes(action) ? second : first
  if (table && isOwn(table)) seen.written.add(table)
  return null
}

/** These name an index, a trigger or the schema first and the table after it. */
function namedSecond(constants: SQLite['constants']): number[] {
  return [
    constants.SQLITE_ALTER_TABLE,
    constants.SQLITE_CREATE_INDEX,
    constants.SQLITE_DROP_INDEX,
    constants.SQLITE_CREATE_TRIGGER,
    constants.SQLITE_DROP_TRIGGER,
  ]
}

function isOwn(table: string): boolean {
  return !/^(sqlite|pragma)_/i.test(table)
}

/** They only tell about the schema. */
const readingPragmas = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'function_list',
  'collation_list',
])

/** SQLite overlooks what follows the first statement; a person would think that it ran. */
function isOnlyStatement(sql: string, prepared: StatementSync): boolean {
  const rest = sql.slice(prepared.sourceSQL.length)
  return /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/.test(rest)
}

function refuseSeveral() {
  return refuse('invalid_input', 'Only one statement runs at a time; call the tool once for each.')
}

function execute(
  db: DatabaseSync,
  prepared: StatementSync,
  { parameters, maxRows }: Statement,
): Pick<StatementResult, 'columns' | 'rows' | 'isCut' | 'changed'> {
  prepared.setReturnArrays(true)
  prepared.setReadBigInts(true)
  const values = parameters.map(asValue)
  const columns = prepared.columns().map(column => column.name)
  const before = totalChanges(db)
  if (columns.length === 0) {
    prepared.run(...values)
    return { columns, rows: [], isCut: false, changed: totalChanges(db) - before }
  }
  // A statement that writes and returns rows must run to its end, however many of them are wanted.
  const taken = takeRows(prepared.iterate(...values) as Iterable<unknown>, maxRows)
  const rows = taken.rows.map(row => (row as Cell[]).map(jsonCell))
  return { columns, rows, isCut: taken.isCut, changed: totalChanges(db) - before }
}

/** A JavaScript number would always become a floating one, which is another value in a column without a type. */
function asValue(value: Statement['parameters'][number]): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

function totalChanges(db: DatabaseSync): number {
  return Number(db.prepare('SELECT total_changes() AS changes').get()?.['changes'] ?? 0)
}

function refuseStatement(error: unknown, resource: string): Result<never> {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_ARG_VALUE')
    return refuse('invalid_input', 'The statement is empty.')
  if (!isSQLiteError(error)) throw error
  const isSurroundings = [5, 6, 10, 11, 13, 14, 26].includes(error.errcode & 0xff)
  const failure = isSurroundings ? sqliteFailure(error, `The database ${resource}`) : null
  if (failure) return { ok: false, failure }
  return refuse('invalid_input', `The database ${resource} refused the statement: ${error.message}.`, {
    errcode: error.errcode,
  })
}
