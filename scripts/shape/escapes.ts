import type { SgNode } from '@ast-grep/napi'
import { nodesOf, type SourceFile } from '../source-files.ts'
import { place, type Row } from './row.ts'

/** Ways round the compiler and the linter, and effects outside the files that are for them. */
export function escapeRows(product: readonly SourceFile[]): Row[] {
  return [
    row('any', product, ['predefined_type'], node => node.text() === 'any'),
    row('as (but not as const)', product, ['as_expression'], node => node.child(2)?.text() !== 'const'),
    row('! against null', product, ['non_null_expression'], () => true),
    row('suppressions', product, ['comment'], node => /biome-ignore|@ts-|eslint-disable/.test(node.text())),
    ...effects.map(({ what, homes, pattern, kinds }) => {
      const abroad = product.filter(file => !homes.some(home => file.path.startsWith(home)))
      return row(`${what} outside its files`, abroad, kinds, node => pattern.test(node.text()))
    }),
  ]
}

const infrastructure = 'src/infrastructure/'

const effects = [
  {
    what: 'environment',
    homes: [infrastructure, 'src/main.ts', 'src/launch.ts', 'src/compose.ts'],
    kinds: ['member_expression'],
    pattern: /^process\.env$/,
  },
  {
    what: 'exit',
    homes: ['src/main.ts', 'src/launch.ts'],
    kinds: ['member_expression'],
    pattern: /^process\.(exit|exitCode|abort|kill)$/,
  },
  {
    what: 'time',
    homes: [infrastructure],
    kinds: ['member_expression', 'new_expression'],
    pattern: /^(Date\.now|performance\.now|new Date\(\))$/,
  },
  {
    what: 'randomness',
    homes: [infrastructure],
    kinds: ['member_expression', 'call_expression'],
    pattern: /^(Math\.random|crypto\.\w+|random(UUID|Bytes|Int)\(.*\)|ulid\(.*\))$/,
  },
  {
    what: 'console',
    homes: ['src/cli/print.ts', 'src/main.ts'],
    kinds: ['member_expression'],
    pattern: /^console\.\w+$/,
  },
]

function row(
  what: string,
  files: readonly SourceFile[],
  kinds: readonly string[],
  counts: (node: SgNode) => boolean,
): Row {
  const found = files.flatMap(file =>
    nodesOf(file.tree, kinds)
      .filter(counts)
      .map(node => place(file, node, node.text().split('\n')[0]?.slice(0, 60))),
  )
  return { what, found }
}
