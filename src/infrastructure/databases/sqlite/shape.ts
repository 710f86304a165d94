import type { DatabaseSync } from 'node:sqlite'

/** How the rows of a table are told apart and compared. */
export interface TableShape {
  readonly name: string
  /** Columns that are stored; those computed from others follow by themselves. */
  readonly columns: readonly string[]
  /** The primary key, else the row's own number. */
  readonly key: readonly string[]
  readonly hasPrimaryKey: boolean
}

export interface SchemaObject {
  readonly kind: 'table' | 'index' | 'view' | 'trigger'
  readonly name: string
  readonly sql: string
  /** A table that a virtual table keeps for itself; its rows mean nothing one by one. */
  readonly isShadow: boolean
  readonly isVirtual: boolean
}

/** What a person or a program made, without what SQLite keeps for itself. */
export function schemaOf(db: DatabaseSync, schema: string): Map<string, SchemaObject> {
  const tables = db.prepare(`PRAGMA ${schema}.table_list`).all()
  const kinds = new Map(tables.map(row => [String(row['name']), String(row['type'])]))
  const rows = db
    .prepare(
      `SELECT type, name, sql FROM ${schema}.sqlite_schema
       WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY type, name`,
    )
    .all()
  return new Map(
    rows.map(row => {
      const kind = kindOf(String(row['type']))
      const name = String(row['name'])
      const type = kind === 'table' ? kinds.get(name) : kind
      const object = { kind, name, sql: String(row['sql']), isShadow: type === 'shadow' }
      return [`${kind} ${name}`, { ...object, isVirtual: type === 'virtual' }]
    }),
  )
}

function kindOf(type: string): SchemaObject['kind'] {
  if (type === 'table' || type === 'index' || type === 'view' || type === 'trigger') return type
  throw new Error(`SQLite has no objects of type ${type}`)
}

export function shapeOf(db: DatabaseSync, schema: string, table: string): TableShape {
  const columns = db.prepare(`PRAGMA ${schema}.table_xinfo(${identifier(table)})`).all()
  const names = columns.map(column => String(column['name']))
  const stored = columns
    .filter(column => Number(column['hidden']) === 0)
    .map(column => String(column['name']))
  const key = columns
    .filter(column => Number(column['pk']) > 0)
    .sort((one, other) => Number(one['pk']) - Number(other['pk']))
    .map(column => String(column['name']))
  if (key.length > 0) return { name: table, columns: stored, key, hasPrimaryKey: true }
  // A column may have taken one of these names; the others still mean the row's number.
  const taken = new Set(names.map(name => name.toLowerCase()))
  const number = ['rowid', '_rowid_', 'oid'].find(name => !taken.has(name)) ?? 'rowid'
  return { name: table, columns: stored, key: [number], hasPrimaryKey: false }
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** `one` and `other` name the same row. */
export function sameKey({ key }: TableShape, one: string, other: string): string {
  return key.map(column => `${one}.${identifier(column)} IS ${other}.${identifier(column)}`).join(' AND ')
}

/** Byte for byte: a column may call 'a' and 'A', or 1 and 1.0, the same. */
export function rowsDiffer({ columns }: TableShape, one: string, other: string): string {
  if (columns.length === 0) return 'FALSE'
  return columns
    .map(identifier)
    .map(
      column =>
        `(${one}.${column} COLLATE BINARY IS NOT ${other}.${column} OR typeof(${one}.${column}) <> typeof(${other}.${column}))`,
    )
    .join(' OR ')
}
