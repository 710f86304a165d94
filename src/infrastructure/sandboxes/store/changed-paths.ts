import { type RelPath, relPathFromBytes } from '../../../domain/sandbox/rel-path.ts'
import type { TreeChange } from './tree-diff.ts'

export function relPathsOf(changes: readonly TreeChange[]): RelPath[] {
  return changes.flatMap(change => {
    const path = relPathFromBytes(change.path)
    return path.ok ? [path.value] : []
  })
}
