import type { Cell } from './row-changes.ts'

/** What a tool gives back must fit into a model's view; more is asked for with a narrower query. */
const MAX_RESULT_CHARACTERS = 200_000

/** Reads all rows, keeps the first ones. */
export function takeRows(
  all: Iterable<unknown>,
  maxRows: number,
): { readonly rows: readonly unknown[]; readonly isCut: boolean } {
  const rows: unknown[] = []
  let characters = 0
  let isCut = false
  for (const row of all) {
    if (rows.length >= maxRows || characters >= MAX_RESULT_CHARACTERS) isCut = true
    else {
      rows.push(row)
      characters += Array.isArray(row) ? sizeOf(row) : 0
    }
  }
  return { rows, isCut }
}

function sizeOf(row: readonly unknown[]): number {
  return row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
}

/** JSON knows neither bytes nor integers beyond 2^53. */
export function jsonCell(cell: Cell): string | number | null {
  if (typeof cell === 'bigint')
    return cell >= Number.MIN_SAFE_INTEGER && cell <= Number.MAX_SAFE_INTEGER ? Number(cell) : String(cell)
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('hex')
  if (typeof cell === 'number' && !Number.isFinite(cell)) return String(cell)
  return cell
}
