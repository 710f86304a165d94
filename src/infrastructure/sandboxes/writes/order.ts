import type { TreeChange } from '../store/tree-diff.ts'
import { foldedName } from './folded-name.ts'
import { parentsOf } from './parents.ts'

/**
 * Deletions come last, so that an interruption loses nothing, except where a file and a folder swap places or a name
 * changes in capitals only, which may be the same name: what stands in the way goes first, deepest first.
 */
export function inWriteOrder(changes: readonly TreeChange[]): TreeChange[] {
  const written = changes.filter(change => change.new !== null)
  const deleted = changes.filter(change => change.new === null).reverse()
  const writtenPaths = new Set(written.map(name))
  const foldedNames = new Set(written.map(change => foldedName(change.path)))
  const foldersOfWritten = new Set(written.flatMap(change => parentsOf(change.path).map(latin1)))
  const isInTheWay = (change: TreeChange) =>
    foldersOfWritten.has(name(change)) ||
    foldedNames.has(foldedName(change.path)) ||
    parentsOf(change.path).some(parent => writtenPaths.has(latin1(parent)))
  return [...deleted.filter(isInTheWay), ...written, ...deleted.filter(change => !isInTheWay(change))]
}

function name(change: TreeChange): string {
  return latin1(change.path)
}

function latin1(path: Buffer): string {
  return path.toString('latin1')
}
