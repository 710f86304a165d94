import type { ObjectChange, Row, RowChange } from './row-changes.ts'

/** What differs between two states of which each is known by what it changed on the same beginning. */
export function changesBetween(from: readonly ObjectChange[], to: readonly ObjectChange[]): ObjectChange[] {
  const old = new Map(from.map(change => [nameOf(change), change]))
  const fresh = new Map(to.map(change => [nameOf(change), change]))
  const names = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  return names.flatMap(name => between(old.get(name) ?? null, fresh.get(name) ?? null) ?? [])
}

function nameOf({ kind, name }: ObjectChange): string {
  return `${kind} ${name}`
}

function between(from: ObjectChange | null, to: ObjectChange | null): ObjectChange | null {
  const some = to ?? from
  if (some === null) return null
  const oldSql = from ? from.newSql : some.oldSql
  const newSql = to ? to.newSql : some.oldSql
  const rows = rowsBetween(from?.rows ?? [], to?.rows ?? [])
  if (oldSql === newSql && rows.length === 0) return null
  return { ...some, oldSql, newSql, rows, hasKeys: some.hasKeys && oldSql === newSql }
}

/** A row is named by what it was in the beginning; one that was added since, by what it is. */
function rowsBetween(from: readonly RowChange[], to: readonly RowChange[]): RowChange[] {
  const old = new Map(from.map(row => [identityOf(row), row]))
  const fresh = new Map(to.map(row => [identityOf(row), row]))
  const rows: RowChange[] = []
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    const before = old.get(name)
    const after = fresh.get(name)
    const was = before ? before.new : (after?.old ?? null)
    const is = after ? after.new : (before?.old ?? null)
    if (textOf(was) !== textOf(is)) rows.push({ old: was, new: is })
  }
  return rows
}

function identityOf({ old, new: fresh }: RowChange): string {
  return old === null ? `added ${textOf(fresh)}` : `was ${textOf(old)}`
}

function textOf(row: Row | null): string {
  return JSON.stringify(row, (_name, value) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Uint8Array
        ? Buffer.from(value).toString('hex')
        : value,
  )
}
