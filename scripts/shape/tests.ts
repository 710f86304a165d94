import { nodesOf, type SourceFile } from '../source-files.ts'
import { place, type Row } from './row.ts'

const historyWords =
  /\b(previously|formerly|originally|no longer|anymore|used to be|was (renamed|moved|changed)|refactor(ed)?|old (version|code|way)|new (version|way)|legacy|deprecated|for now)\b/i

export function testRows(product: readonly SourceFile[], tests: readonly SourceFile[]): Row[] {
  const ratio = linesOf(tests) / Math.max(1, linesOf(product))
  return [
    { what: 'lines of tests for each line of product', found: [], value: ratio.toFixed(2) },
    { what: 'mocks of our own modules', found: calls(tests, /^vi\.(mock|doMock)\(\s*['"`]\./) },
    { what: 'sleeps in tests', found: calls(tests, /^(sleep|delay|wait|setTimeout)\(\s*(\d|resolve|done)/) },
    {
      what: 'tests skipped, focused or to do',
      found: calls(tests, /^(it|test|describe)\.(skip|only|todo)\(/),
    },
  ]
}

export function historyRow(files: readonly SourceFile[]): Row {
  const found = files.flatMap(file =>
    nodesOf(file.tree, ['comment'])
      .filter(node => historyWords.test(node.text()))
      .map(node => place(file, node, historyWords.exec(node.text())?.[0])),
  )
  return { what: 'words of history in comments', found }
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, file) => sum + file.text.split('\n').length, 0)
}

function calls(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(file =>
    nodesOf(file.tree, ['call_expression'])
      .filter(node => pattern.test(node.text()))
      .map(node => place(file, node, node.text().split('\n')[0]?.slice(0, 60))),
  )
}
