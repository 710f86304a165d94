/** Prints rows of text with the columns aligned, numbers to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = columnWidths(rows)
  for (const row of rows) {
    const cells = row.map((cell, column) => align(cell, widths[column] ?? 0))
    process.stdout.write(`  ${cells.join('  ').trimEnd()}\n`)
  }
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map(row => row.length))
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0)),
  )
}

function align(cell: string, width: number): string {
  return /^\d/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
}
