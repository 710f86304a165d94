/**
 * What differs between two states of a database: rows and schema, as a change set and as text. Nothing here knows a
 * kind of database; `sqlite/` and `postgresql/` beside it find the differences.
 */
import { createHash } from 'node:crypto'
import type { ChangedFile, ChangeSet } from '../../domain/sandbox/changeset.ts'
import { type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'

export type Cell = null | number | bigint | string | Uint8Array
export type Row = readonly Cell[]

export interface ObjectChange {
  readonly kind: 'table' | 'index' | 'view' | 'trigger' | 'setting'
  readonly name: string
  /** The statements that make it; the same twice where only rows differ. */
  readonly oldSql: string | null
  readonly newSql: string | null
  readonly columns: readonly string[]
  readonly rows: readonly RowChange[]
  /** Whether the rows can be brought home one by one: they have keys, and the table itself is the same. */
  readonly hasKeys: boolean
}

export interface RowChange {
  readonly old: Row | null
  readonly new: Row | null
}

export function pathOf(resource: string, { kind, name }: Pick<ObjectChange, 'kind' | 'name'>): RelPath {
  return objectPath(resource, kind === 'table' ? name : `${kind} ${name}`)
}

export function tablePath(resource: string, table: string): RelPath {
  return objectPath(resource, table)
}

/** A name that cannot be part of a path is written with its odd characters as %XX. */
function objectPath(resource: string, name: string): RelPath {
  const plain = relPathFromBytes(Buffer.from(`${resource}/${name.replaceAll('/', '%2F')}`))
  if (plain.ok) return plain.value
  const escaped = encodeURIComponent(name).replaceAll('.', '%2E')
  const path = relPathFromBytes(Buffer.from(`${resource}/${escaped}`))
  if (!path.ok) throw new Error(path.failure.message)
  return path.value
}

export function changeSetOf(resource: string, changes: readonly ObjectChange[]): ChangeSet {
  const files = changes.map(change => changedFile(resource, change))
  const digest = createHash('sha256').update(JSON.stringify(changes, exactly)).digest('hex')
  return { digest, files }
}

function exactly(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { integer: String(value) }
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value
}

function changedFile(resource: string, change: ObjectChange): ChangedFile {
  const { removed, added } = linesOf(change)
  return {
    path: pathOf(resource, change),
    oldPath: null,
    status: statusOf(change),
    additions: added.length,
    deletions: removed.length,
    binary: false,
  }
}

function statusOf({ oldSql, newSql }: ObjectChange): 'added' | 'deleted' | 'modified' {
  if (oldSql === null) return 'added'
  return newSql === null ? 'deleted' : 'modified'
}

/** In the form of a unified diff, one hunk a table, so that whatever shows a diff shows this: a line for each row. */
export function patchOf(resource: string, changes: readonly ObjectChange[]): Uint8Array {
  return Buffer.from(changes.map(change => sectionOf(pathOf(resource, change), change)).join(''))
}

/** The first line of its section. */
export function headingOf(path: RelPath): string {
  return `diff --git a/${path} b/${path}`
}

function sectionOf(path: RelPath, change: ObjectChange): string {
  const { removed, added } = linesOf(change)
  const status = statusOf(change)
  const heading = change.columns.length > 0 ? ` (${change.columns.join(', ')})` : ''
  return [
    headingOf(path),
    ...(status === 'modified' ? [] : [`${status === 'added' ? 'new' : 'deleted'} file mode 100644`]),
    `--- ${status === 'added' ? '/dev/null' : `a/${path}`}`,
    `+++ ${status === 'deleted' ? '/dev/null' : `b/${path}`}`,
    `@@ -${rangeOf(removed)} +${rangeOf(added)} @@${heading}`,
    ...removed.map(line => `-${line}`),
    ...added.map(line => `+${line}`),
    '',
  ].join('\n')
}

function rangeOf(lines: readonly string[]): string {
  return lines.length === 0 ? '0,0' : `1,${lines.length}`
}

function linesOf({ oldSql, newSql, rows }: ObjectChange): { removed: string[]; added: string[] } {
  const isSame = oldSql === newSql
  return {
    removed: [
      ...(isSame ? [] : sqlLines(oldSql)),
      ...rows.flatMap(row => (row.old === null ? [] : rowText(row.old))),
    ],
    added: [
      ...(isSame ? [] : sqlLines(newSql)),
      ...rows.flatMap(row => (row.new === null ? [] : rowText(row.new))),
    ],
  }
}

function sqlLines(sql: string | null): string[] {
  return sql === null ? [] : `${sql};`.split(/\r?\n/)
}

export function rowText(row: Row): string {
  return `(${row.map(cellText).join(', ')})`
}

/** As SQL writes it, on one line. */
function cellText(cell: Cell): string {
  if (cell === null) return 'NULL'
  if (typeof cell === 'string') return quoted(cell)
  if (!(cell instanceof Uint8Array)) return String(cell)
  const shown = Buffer.from(cell.subarray(0, MAX_SHOWN_BYTES)).toString('hex')
  return cell.length <= MAX_SHOWN_BYTES ? `X'${shown}'` : `X'${shown}...' /* ${cell.length} bytes */`
}

const MAX_SHOWN_BYTES = 64

function quoted(text: string): string {
  const doubled = text.replaceAll("'", "''")
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return `'${doubled}'`
  const safe = doubled.replaceAll('\\', '\\\\').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escaped)
  return `E'${safe}'`
}

function escaped(character: string): string {
  const named = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
  return named ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
