import { posix } from 'node:path'
import type { SourceFile } from '../source-files.ts'
import { type FunctionShape, functionsOf } from './functions.ts'
import type { Row } from './row.ts'

const MAX_LINES_OF_FILE = 400
const MAX_LINES_OF_FUNCTION = 60
const MAX_PARAMETERS = 4
const DEEP = 4
const MAX_FILES_OF_FOLDER = 20

export function sizeRows(product: readonly SourceFile[], tests: readonly SourceFile[]): Row[] {
  const functions = product.flatMap(functionsOf).sort((a, b) => b.lines - a.lines)
  const row = (
    what: string,
    chosen: readonly FunctionShape[],
    detail: (shape: FunctionShape) => string,
  ): Row => ({
    what,
    found: chosen.map(shape => `${shape.place} ${detail(shape)}`.trimEnd()),
  })
  return [
    { what: `files over ${MAX_LINES_OF_FILE} lines`, found: longFiles([...product, ...tests]) },
    row(
      `functions over ${MAX_LINES_OF_FUNCTION} lines`,
      functions.filter(each => each.lines > MAX_LINES_OF_FUNCTION),
      each => `${each.lines} lines`,
    ),
    {
      ...row('largest function, lines', functions.slice(0, 1), () => ''),
      value: String(functions[0]?.lines ?? 0),
    },
    row(
      `functions with over ${MAX_PARAMETERS} parameters`,
      functions.filter(each => each.parameters > MAX_PARAMETERS),
      each => `${each.parameters}`,
    ),
    row(
      'boolean parameters',
      functions.filter(each => each.booleans.length > 0),
      each => each.booleans.join(', '),
    ),
    row(
      `nesting of ${DEEP} or more`,
      functions.filter(each => each.depth >= DEEP),
      each => `${each.depth} deep`,
    ),
    { what: `folders over ${MAX_FILES_OF_FOLDER} files`, found: fullFolders([...product, ...tests]) },
  ]
}

function longFiles(files: readonly SourceFile[]): string[] {
  const sized = files.map(file => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
  const long = sized.filter(file => file.lines > MAX_LINES_OF_FILE).sort((a, b) => b.lines - a.lines)
  return long.map(file => `${file.path} ${file.lines}`)
}

function fullFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, file => posix.dirname(file.path))
  const full = [...folders].filter(([, members]) => members.length > MAX_FILES_OF_FOLDER)
  return full.map(([folder, members]) => `${folder} ${members.length}`)
}
