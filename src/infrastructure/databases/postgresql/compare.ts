import type { ObjectChange, RowChange } from '../row-changes.ts'
import type { Connection } from './connect.ts'
import { rowsByKey, type Table } from './read-rows.ts'

/** What differs between what a transaction sees and what was committed when it began. Only what it has locked is read. */
export async function compareDatabases(committed: Connection, own: Connection): Promise<ObjectChange[]> {
  const locks = await locksOf(own)
  const before = await objectsOf(committed)
  const after = await objectsOf(own)
  const changes: ObjectChange[] = []
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const old = before.get(name) ?? null
    const fresh = after.get(name) ?? null
    const change = await compareObject({ committed, own, locks }, old, fresh)
    if (change) changes.push(change)
  }
  return changes
}

interface Sides {
  readonly committed: Connection
  readonly own: Connection
  /** Names of relations; `whole`: not even a reader gets in. */
  readonly locks: ReadonlyMap<string, 'rows' | 'whole'>
}

interface Found {
  readonly kind: 'table' | 'index' | 'view'
  /** Without the schema `public`. */
  readonly name: string
  readonly oid: string
  readonly sql: string
  readonly table: Table
}

async function compareObject(
  { committed, own, locks }: Sides,
  old: Found | null,
  fresh: Found | null,
): Promise<ObjectChange | null> {
  const some = fresh ?? old
  if (some === null) return null
  const change = { kind: some.kind, name: some.name, oldSql: old?.sql ?? null, newSql: fresh?.sql ?? null }
  const without = { ...change, columns: [], rows: [], hasKeys: false }
  const lock = locks.get(some.oid)
  if (some.kind !== 'table' || (old && fresh && lock === undefined))
    return change.oldSql === change.newSql ? null : without
  if (old && lock === 'whole') return lockedWhole(without)
  const was = old ? await rowsByKey(committed, old.table) : new Map()
  const is = fresh ? await rowsByKey(own, fresh.table) : new Map()
  const rows = rowChanges(was, is)
  if (rows.length === 0 && change.oldSql === change.newSql) return null
  const hasKeys = change.oldSql === change.newSql && some.table.key.length < some.table.columns.length
  return { ...change, columns: some.table.columns, rows, hasKeys }
}

/** Nobody else can read it, neither can we beside the transaction. */
function lockedWhole(change: ObjectChange): ObjectChange {
  if (change.oldSql !== change.newSql) return change
  return {
    ...change,
    newSql: `${change.newSql} /* emptied or rewritten: its rows cannot be compared while it is locked */`,
  }
}

function rowChanges(was: ReadonlyMap<string, RowChange['old']>, is: typeof was): RowChange[] {
  const rows: RowChange[] = []
  for (const key of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const old = was.get(key) ?? null
    const fresh = is.get(key) ?? null
    if (textOf(old) !== textOf(fresh)) rows.push({ old, new: fresh })
  }
  return rows
}

function textOf(row: RowChange['old']): string {
  return JSON.stringify(row, (_name, value) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('hex')
        : value,
  )
}

async function locksOf(own: Connection): Promise<Map<string, 'rows' | 'whole'>> {
  const answer = await own.query(
    `SELECT relation::text, bool_or(mode = 'AccessExclusiveLock')::text FROM pg_locks
     WHERE pid = pg_backend_pid() AND locktype = 'relation'
     AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
     GROUP BY relation`,
  )
  return new Map(
    answer.rows.map(([oid, isWhole]) => [String(oid), isWhole === 'true' ? 'whole' : 'rows'] as const),
  )
}

async function objectsOf(connection: Connection): Promise<Map<string, Found>> {
  const answer = await connection.query(OBJECTS)
  return new Map(
    answer.rows.map(([kind, name, oid, quoted, columns, key, sql]) => {
      const names: string[] = JSON.parse(columns ?? '[]')
      const positions: number[] = JSON.parse(key ?? '[]')
      const table: Table = {
        quoted: String(quoted),
        columns: names,
        key: positions.length > 0 ? positions : names.map((_, index) => index),
      }
      const found = {
        kind: kindOf(String(kind)),
        name: String(name),
        oid: String(oid),
        sql: String(sql),
        table,
      }
      return [`${found.kind} ${found.name}`, found]
    }),
  )
}

function kindOf(relkind: string): Found['kind'] {
  if (relkind === 'i' || relkind === 'I') return 'index'
  return relkind === 'v' || relkind === 'm' ? 'view' : 'table'
}

/**
 * Read from the catalogue alone: functions that open a table would wait for the transaction whose changes are looked at.
 * A view is told apart by a digest of its rule.
 */
const OBJECTS = `
  SELECT c.relkind::text,
    CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END,
    c.oid::text,
    quote_ident(n.nspname) || '.' || quote_ident(c.relname),
    (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)::text,
    (SELECT json_agg(p.position - 1 ORDER BY p.position) FROM
      (SELECT a.attnum, row_number() OVER (ORDER BY a.attnum) AS position FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) p
      JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND p.attnum = ANY (i.indkey))::text,
    CASE
      WHEN c.relkind IN ('i', 'I') THEN 'CREATE INDEX ' || c.relname || ' ON ' || t.relname || ' (' ||
        (SELECT string_agg(coalesce(a.attname::text, 'expression'), ', ' ORDER BY k.place)
          FROM unnest(x.indkey::int2[]) WITH ORDINALITY k(attnum, place)
          LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum) || ')'
      WHEN c.relkind IN ('v', 'm') THEN 'CREATE VIEW ' || c.relname || ' /* ' || coalesce(
        (SELECT md5(string_agg(r.ev_action::text, '')) FROM pg_rewrite r WHERE r.ev_class = c.oid), '') || ' */'
      ELSE 'CREATE TABLE ' || c.relname || ' (' || coalesce(
        (SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod) ||
          CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY a.attnum)
          FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), '') || ')'
    END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_index x ON x.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = x.indrelid
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'i', 'I') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND n.nspname NOT LIKE 'pg\\_%'
    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)`
