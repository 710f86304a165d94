import { createHash } from 'node:crypto'
import { covers, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyChoice,
  DriftedPath,
  RestorePreview,
  RestoreReport,
  RestoreScope,
} from '../../domain/sandbox/strategy.ts'
import { changeSetOf, type ObjectChange, pathOf } from './row-changes.ts'

export function isInScope(scope: RestoreScope, path: RelPath): boolean {
  if (scope.kind === 'all') return true
  return scope.paths.some(each => covers(each, path)) === (scope.kind === 'only')
}

/** Tables are chosen by their paths; single rows cannot be. */
export function isChosen(choice: ApplyChoice, path: RelPath): boolean {
  return choice.kind === 'all' || (choice.kind === 'paths' && choice.only.some(only => covers(only, path)))
}

/** The changes lead from what is there now to what is restored. */
export function reportOf(resource: string, changes: readonly ObjectChange[]): RestoreReport {
  const paths = (some: readonly ObjectChange[]) => some.map(change => pathOf(resource, change))
  return {
    restored: paths(changes.filter(change => change.newSql !== null)),
    removed: paths(changes.filter(change => change.newSql === null)),
  }
}

export function previewOf(resource: string, changes: readonly ObjectChange[]): RestorePreview {
  const restored = changes.map(change => {
    const how = change.oldSql === null ? 'brought_back' : change.newSql === null ? 'removed' : 'rewritten'
    return { path: pathOf(resource, change), how } as const
  })
  return { restored, leftAlone: [], cannotRestore: [] }
}

export function driftOf(resource: string, change: ObjectChange): DriftedPath {
  const how = change.oldSql === null ? 'added' : change.newSql === null ? 'removed' : 'changed'
  const digest = createHash('sha256')
    .update(changeSetOf(resource, [change]).digest)
    .digest('hex')
  return { path: pathOf(resource, change), how, content: how === 'removed' ? null : digest }
}
