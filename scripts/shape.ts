/**
 * Prints the shape of the code: numbers to notice, never a verdict. `npm run shape`, or `npm run shape -- --all` to see
 * every place behind a number. Two of them, wrong directions and circles of values, are facts and fail `npm run check`.
 */
import { resolve } from 'node:path'
import { directionRows } from './shape/directions.ts'
import { escapeRows } from './shape/escapes.ts'
import { repetitionRow } from './shape/repetition.ts'
import type { Row } from './shape/row.ts'
import { screenRows } from './shape/screen.ts'
import { sizeRows } from './shape/sizes.ts'
import { historyRow, testRows } from './shape/tests.ts'
import { unusedRows } from './shape/unused.ts'
import { productFolders, readSources } from './source-files.ts'

const EXAMPLES = 2

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  printShape([...shapeOf(root), ...(await unusedRows(root))], process.argv.includes('--all'))
}

export function shapeOf(root: string): Row[] {
  const product = readSources(root, productFolders)
  const tests = readSources(root, ['test'])
  const all = [...product, ...tests, ...readSources(root, ['scripts'])]
  return [
    ...sizeRows(product, tests),
    ...directionRows(product),
    ...escapeRows(product),
    repetitionRow(all),
    ...testRows(product, tests),
    historyRow(all),
    ...screenRows(product),
  ]
}

function printShape(rows: readonly Row[], everyPlace: boolean): void {
  const width = Math.max(...rows.map(row => row.what.length))
  const lines = rows.flatMap(row => {
    const number = (row.value ?? String(row.found.length)).padStart(6)
    const line = `${row.what.padEnd(width)}${number}  ${everyPlace ? '' : examplesOf(row)}`.trimEnd()
    return everyPlace ? [line, ...row.found.map(each => `    ${each}`)] : [line]
  })
  // One write: a reader that has seen enough (`| head`) must not end us in the middle.
  process.stdout.write(`${lines.join('\n')}\n`)
}

function examplesOf(row: Row): string {
  const shown = row.found.slice(0, EXAMPLES).join(', ')
  const more = row.found.length > EXAMPLES ? ', …' : ''
  return shown.length + more.length > 110 ? `${shown.slice(0, 109)}…` : shown + more
}
