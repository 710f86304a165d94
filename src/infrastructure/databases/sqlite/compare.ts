import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Cell, ObjectChange, Row, RowChange } from '../row-changes.ts'
import type { SQLite } from './load.ts'
import {
  identifier,
  rowsDiffer,
  type SchemaObject,
  sameKey,
  schemaOf,
  shapeOf,
  type TableShape,
} from './shape.ts'

/** What differs between two recorded states, by name. The files are never written again, so they need no locks. */
export function compareFiles({ DatabaseSync }: SQLite, before: string, after: string): ObjectChange[] {
  using db = new DatabaseSync(':memory:', { readBigInts: true })
  attach(db, before, 'before')
  attach(db, after, 'after')
  return compareSchemas(db, 'before', 'after')
}

export function openState({ DatabaseSync }: SQLite, file: string): DatabaseSync {
  return new DatabaseSync(new URL(`${pathToFileURL(file).href}?immutable=1`), {
    readOnly: true,
    readBigInts: true,
  })
}

export function attach(db: DatabaseSync, file: string, as: string): void {
  db.prepare(`ATTACH ? AS ${as}`).run(`${pathToFileURL(file).href}?immutable=1`)
}

/** Sees what is committed in a database, beside a transaction that this very connection has open on it. */
export function attachReadOnly(db: DatabaseSync, file: string, as: string): void {
  db.prepare(`ATTACH ? AS ${as}`).run(`${pathToFileURL(file).href}?mode=ro`)
}

export function compareSchemas(db: DatabaseSync, before: string, after: string): ObjectChange[] {
  const old = schemaOf(db, before)
  const fresh = schemaOf(db, after)
  const names = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  const objects = names.flatMap(name =>
    compareObject(
      db,
      { schema: before, object: old.get(name) ?? null },
      { schema: after, object: fresh.get(name) ?? null },
    ),
  )
  return [...objects, ...settings.flatMap(name => compareSetting(db, name, before, after))]
}

interface Side {
  readonly schema: string
  readonly object: SchemaObject | null
}

function compareObject(db: DatabaseSync, before: Side, after: Side): ObjectChange[] {
  const object = after.object ?? before.object
  if (object === null) return []
  const oldSql = before.object?.sql ?? null
  const newSql = after.object?.sql ?? null
  const change = { kind: object.kind, name: object.name, oldSql, newSql }
  const hasRows = object.kind === 'table' && !object.isVirtual
  if (!hasRows) return oldSql === newSql ? [] : [{ ...change, columns: [], rows: [], hasKeys: false }]
  if (oldSql !== newSql) return [{ ...change, ...wholeTables(db, before, after), hasKeys: false }]
  const shape = shapeOf(db, after.schema, object.name)
  const rows = rowChanges(db, shape, before.schema, after.schema)
  const hasKeys = shape.hasPrimaryKey && !object.isShadow && !rows.some(row => lacksKey(shape, row))
  return rows.length === 0 ? [] : [{ ...change, columns: shape.columns, rows, hasKeys }]
}

/** Where a table itself differs, rows that are still the same are not named again. */
function wholeTables(db: DatabaseSync, before: Side, after: Side): Pick<ObjectChange, 'columns' | 'rows'> {
  const old = rowsOf(db, before)
  const fresh = rowsOf(db, after)
  if (old && fresh && sameColumns(old.shape, fresh.shape) && sameNames(old.shape.key, fresh.shape.key))
    return { columns: fresh.shape.columns, rows: rowChanges(db, fresh.shape, before.schema, after.schema) }
  const removed = old ? readRows(db, old.shape, before.schema).map(row => ({ old: row, new: null })) : []
  const added = fresh ? readRows(db, fresh.shape, after.schema).map(row => ({ old: null, new: row })) : []
  return { columns: (fresh ?? old)?.shape.columns ?? [], rows: [...removed, ...added] }
}

function rowsOf(db: DatabaseSync, { schema, object }: Side): { shape: TableShape } | null {
  return object === null || object.isVirtual ? null : { shape: shapeOf(db, schema, object.name) }
}

function sameColumns(one: TableShape, other: TableShape): boolean {
  return sameNames(one.columns, other.columns)
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index])
}

function rowChanges(db: DatabaseSync, shape: TableShape, before: string, after: string): RowChange[] {
  const table = identifier(shape.name)
  const columns = (of: string) => shape.columns.map(name => `${of}.${identifier(name)}`).join(', ')
  const order = `ORDER BY ${shape.key.map(name => `o.${identifier(name)}`).join(', ')}`
  const missing = (here: string, there: string) =>
    all(
      db,
      `SELECT ${columns('o')} FROM ${here}.${table} o
       WHERE NOT EXISTS (SELECT 1 FROM ${there}.${table} n WHERE ${sameKey(shape, 'n', 'o')}) ${order}`,
    )
  const changed = all(
    db,
    `SELECT ${columns('o')}, ${columns('n')} FROM ${before}.${table} o
     JOIN ${after}.${table} n ON ${sameKey(shape, 'n', 'o')} WHERE ${rowsDiffer(shape, 'o', 'n')} ${order}`,
  )
  const width = shape.columns.length
  return [
    ...missing(before, after).map(row => ({ old: row, new: null })),
    ...changed.map(row => ({ old: row.slice(0, width), new: row.slice(width) })),
    ...missing(after, before).map(row => ({ old: null, new: row })),
  ]
}

function readRows(db: DatabaseSync, shape: TableShape, schema: string): Row[] {
  return all(
    db,
    `SELECT ${shape.columns.map(identifier).join(', ')} FROM ${schema}.${identifier(shape.name)}`,
  )
}

function all(db: DatabaseSync, sql: string): Row[] {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  // With arrays switched on each row is one, whatever the types say.
  return statement.all() as unknown as Cell[][]
}

/** SQLite lets a key be NULL; such a row cannot be named. */
function lacksKey({ columns, key }: TableShape, { old, new: fresh }: RowChange): boolean {
  const row = fresh ?? old ?? []
  return key.some(name => row[columns.indexOf(name)] === null)
}

/** Numbers that programs keep in the file's header, e.g. which migrations have run. */
const settings = ['user_version', 'application_id']

function compareSetting(db: DatabaseSync, name: string, before: string, after: string): ObjectChange[] {
  const value = (schema: string) => Number(db.prepare(`PRAGMA ${schema}.${name}`).get()?.[name] ?? 0)
  const sql = (schema: string) => `PRAGMA ${name} = ${value(schema)}`
  if (value(before) === value(after)) return []
  return [
    { kind: 'setting', name, oldSql: sql(before), newSql: sql(after), columns: [], rows: [], hasKeys: false },
  ]
}
