import type * as z from 'zod'
import type { Connection } from './connection.ts'

/** How a kind of record lies in a table: what is asked for has a column, everything else is in the JSON of `rest`. */
export interface RecordLayout<Value> {
  readonly table: string
  /** The column that names a record. */
  readonly key: string
  /** Field to column; these fields hold texts, numbers or null. */
  readonly columns: Readonly<Partial<Record<keyof Value & string, string>>>
  /** Every record read back passes it. */
  readonly schema: z.ZodType<Value>
}

export interface RecordTable<Value> {
  insert(value: Value): void
  /** False, and nothing written, when a record has the same value in `column`. */
  insertUnless(column: string): (value: Value) => boolean
  /** Replaces the record of that key. Throws when there is none. */
  update(value: Value): void
  /** Replaces or adds, in the place of the old one. */
  put(value: Value): void
  /** `where` is what follows the table's name in a SELECT. */
  one(where: string): (...values: SQLValue[]) => Value | null
  many(where: string): (...values: SQLValue[]) => Value[]
}

export type SQLValue = string | number | null

type Row = Readonly<Record<string, SQLValue>>

/** Statements are prepared once, when they are first used. */
export function recordTable<Value extends object>(
  { db, write }: Connection,
  layout: RecordLayout<Value>,
): RecordTable<Value> {
  const { table, key } = layout
  const names = [...Object.values<string | undefined>(layout.columns), 'rest']
  const insertSql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(name => `@${name}`).join(', ')})`
  const assignments = names.map(name => `${name} = @${name}`).join(', ')
  const insert = once(() => db.prepare<[Row]>(insertSql))
  const put = once(() => db.prepare<[Row]>(`${insertSql} ON CONFLICT (${key}) DO UPDATE SET ${assignments}`))
  const update = once(() => db.prepare<[Row]>(`UPDATE ${table} SET ${assignments} WHERE ${key} = @${key}`))
  const read = rowReader(layout)
  const select = (where: string) =>
    once(() =>
      db.prepare<SQLValue[], Row>(`SELECT ${names.map(name => `${table}.${name}`)} FROM ${table} ${where}`),
    )

  return {
    insert: value => void write(() => insert().run(toRow(value, layout))),
    insertUnless: column => {
      const statement = once(() => db.prepare<[Row]>(`${insertSql} ON CONFLICT (${column}) DO NOTHING`))
      return value => write(() => statement().run(toRow(value, layout))).changes === 1
    },
    put: value => void write(() => put().run(toRow(value, layout))),
    update: value => {
      const row = toRow(value, layout)
      if (write(() => update().run(row)).changes === 0)
        throw new Error(`no row ${row[key]} in ${table} to update`)
    },
    one: where => {
      const statement = select(where)
      return (...values) => {
        const row = statement().get(...values)
        return row ? read(row) : null
      }
    },
    many: where => {
      const statement = select(where)
      return (...values) =>
        statement()
          .all(...values)
          .map(read)
    },
  }
}

/** Defers work that a short command may never need. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function toRow<Value extends object>(value: Value, layout: RecordLayout<Value>): Row {
  const columns: Readonly<Record<string, string | undefined>> = layout.columns
  const row: Record<string, SQLValue> = {}
  const rest: Record<string, unknown> = {}
  const fields: [string, unknown][] = Object.entries(value)
  for (const [field, content] of fields) {
    const column = columns[field]
    if (column === undefined) rest[field] = content
    else row[column] = sqlValue(content, column)
  }
  return { ...row, rest: JSON.stringify(rest) }
}

function sqlValue(value: unknown, column: string): SQLValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new TypeError(`column ${column} cannot hold ${typeof value}`)
}

/** A row that is as it was when it was last read is not parsed again: records are never changed in place. */
function rowReader<Value extends object>(layout: RecordLayout<Value>): (row: Row) => Value {
  const known = new Map<SQLValue | undefined, { readonly row: Row; readonly value: Value }>()
  return row => {
    const key = row[layout.key]
    const before = known.get(key)
    if (before && isSameRow(before.row, row)) return before.value
    const value = fromRow(row, layout)
    known.delete(key)
    known.set(key, { row, value })
    if (known.size > KNOWN_ROWS) known.delete(known.keys().next().value)
    return value
  }
}

const KNOWN_ROWS = 2_000

function isSameRow(one: Row, other: Row): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  return true
}

function fromRow<Value extends object>(row: Row, layout: RecordLayout<Value>): Value {
  const columns = Object.entries<string | undefined>(layout.columns)
  const scalars = columns.map(([field, column = '']) => [field, row[column]])
  return parsed(layout.schema, layout.table, { ...parseJson(row['rest']), ...Object.fromEntries(scalars) })
}

function parseJson(text: SQLValue | undefined): object {
  return JSON.parse(String(text))
}

/** What is in our own store and fits no schema was written by something else, or by a bug. */
export function parsed<Value>(schema: z.ZodType<Value>, where: string, value: unknown): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Error(`a row of ${where} is not what was written there`, { cause: result.error })
}
