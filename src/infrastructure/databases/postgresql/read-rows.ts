import type { Cell, Row } from '../row-changes.ts'
import type { Connection } from './connect.ts'

export interface Table {
  /** As it is written in a statement. */
  readonly quoted: string
  readonly columns: readonly string[]
  /** Positions among the columns; without a primary key, all of them. */
  readonly key: readonly number[]
}

/** Every row under its key. Rows without a key that are alike are told apart by how often they were seen. */
export async function rowsByKey(connection: Connection, table: Table): Promise<Map<string, Row>> {
  const columns = table.columns.map(quote).join(', ')
  const answer = await connection.query(
    `SELECT ${columns === '' ? 'NULL' : columns} FROM ONLY ${table.quoted}`,
  )
  const rows = new Map<string, Row>()
  for (const texts of answer.rows) {
    const row = texts.map((text, index) => cellOf(text, answer.columns[index]?.type ?? 0))
    const key = JSON.stringify(table.key.map(index => texts[index]))
    let name = key
    for (let times = 2; rows.has(name); times++) name = `${key} ${times}`
    rows.set(name, row)
  }
  return rows
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Whole numbers and bytes as what they are; everything else as the text that the server writes. */
export function cellOf(text: string | null, type: number): Cell {
  if (text === null) return null
  if ([20, 21, 23, 26].includes(type)) return BigInt(text)
  if ([700, 701].includes(type)) return Number(text)
  if (type === 17) return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  return type === 16 ? (text === 't' ? 'true' : 'false') : text
}
