import type { DatabaseSync } from 'node:sqlite'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { type ObjectChange, pathOf, type Row, type RowChange, rowText } from '../row-changes.ts'
import { identifier, type TableShape } from './shape.ts'

/** What applying the changes to one table finds in the user's database, row by row. */
export interface Meeting {
  /** Rows that are to be changed and are still as the plan found them. */
  readonly due: readonly RowChange[]
  /** Rows that differ from both what the plan found and what it made. */
  readonly contested: readonly RowChange[]
  /** The same in words, as many as a person reads. */
  readonly conflicts: readonly ApplyConflict[]
}

/** Who met: a person and a plan at Apply, otherwise two pieces of work of which neither is meant more than the other. */
export type Sides = 'you and the plan' | 'both sides'

/** Whole rows are compared: two changes in one row may each be right and together be wrong. */
export function meet(
  db: DatabaseSync,
  { resource, sides }: { readonly resource: string; readonly sides: Sides },
  change: ObjectChange,
  shape: TableShape,
): Meeting {
  const path = pathOf(resource, change)
  const due: RowChange[] = []
  const contested: RowChange[] = []
  const conflicts: ApplyConflict[] = []
  const find = rowFinder(db, shape)
  for (const row of change.rows) {
    const present = find(row.old ?? row.new ?? [])
    if (isSameRow(present, row.new)) continue
    if (isSameRow(present, row.old)) {
      due.push(row)
      continue
    }
    contested.push(row)
    if (conflicts.length < MAX_NAMED) conflicts.push(conflictOf({ path, sides }, shape, row, present))
  }
  return { due, contested, conflicts }
}

/** More than a person reads; they all hold up the same apply. */
const MAX_NAMED = 100

function rowFinder(db: DatabaseSync, shape: TableShape): (row: Row) => Row | null {
  const columns = shape.columns.map(identifier).join(', ')
  const condition = shape.key.map(name => `${identifier(name)} IS ?`).join(' AND ')
  const statement = db.prepare(`SELECT ${columns} FROM main.${identifier(shape.name)} WHERE ${condition}`)
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  // With arrays switched on a row is one, whatever the types say.
  return row => (statement.get(...keyOf(shape, row)) as unknown as Row | undefined) ?? null
}

function keyOf({ columns, key }: TableShape, row: Row) {
  return key.map(name => row[columns.indexOf(name)] ?? null)
}

function isSameRow(one: Row | null, other: Row | null): boolean {
  if (one === null || other === null) return one === other
  return one.length === other.length && one.every((cell, index) => isSameCell(cell, other[index] ?? null))
}

function isSameCell(one: Row[number], other: Row[number]): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.from(one).equals(other)
  return Object.is(one, other)
}

function conflictOf(
  { path, sides }: { readonly path: RelPath; readonly sides: Sides },
  shape: TableShape,
  row: RowChange,
  present: Row | null,
): ApplyConflict {
  const name = `the row ${keyText(shape, row.old ?? row.new ?? [])}`
  const [fresh, other] = sides === 'both sides' ? ['one side', 'the other'] : ['the plan', 'you']
  if (present === null)
    return {
      path,
      kind: 'modify_delete',
      reason: `${path}: ${fresh} changed ${name} and ${other} deleted it.`,
    }
  if (row.old === null)
    return { path, kind: 'content', reason: `${path}: ${sides} each added ${name}, differently.` }
  if (row.new === null)
    return {
      path,
      kind: 'modify_delete',
      reason: `${path}: ${fresh} deleted ${name} and ${other} changed it.`,
    }
  const both = sides === 'both sides' ? sides : `${sides} both`
  return { path, kind: 'content', reason: `${path}: ${both} changed ${name}.` }
}

function keyText(shape: TableShape, row: Row): string {
  const values = keyOf(shape, row)
  return shape.key.map((name, index) => `${name} ${rowText([values[index] ?? null]).slice(1, -1)}`).join(', ')
}
