import { ok, type Result } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type { RestoreScope, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PrivateStore } from './store/private-store.ts'
import { treeOf } from './store/states.ts'
import { diffTrees, type TreeChange } from './store/tree-diff.ts'

export interface RestoreChanges {
  /** The tree of the state. */
  readonly wanted: string
  /** What has to be written and removed to get there. */
  readonly changes: readonly TreeChange[]
  /** What differs too, and is outside of the scope. */
  readonly kept: readonly TreeChange[]
}

/** What lies between the tree of a folder and a state: what a restore does, and what its preview shows. */
export async function restoreChanges(
  store: PrivateStore,
  present: string,
  { state, scope }: { state: SandboxState; scope: RestoreScope },
): Promise<Result<RestoreChanges>> {
  const wanted = await treeOf(store, state)
  if (!wanted.ok) return wanted
  const changes = await diffTrees(store, present, wanted.value)
  return changes.ok ? ok({ wanted: wanted.value, ...byScope(changes.value, scope) }) : changes
}

export function byScope(changes: readonly TreeChange[], scope: RestoreScope) {
  const isIn = inScope(scope)
  return { changes: changes.filter(isIn), kept: changes.filter(change => !isIn(change)) }
}

function inScope(scope: RestoreScope): (change: TreeChange) => boolean {
  if (scope.kind === 'all') return () => true
  const named = new Set(scope.paths.map(latin1))
  return ({ path }) => named.has(path.toString('latin1')) === (scope.kind === 'only')
}

function latin1(path: RelPath): string {
  return Buffer.from(bytesOfRelPath(path)).toString('latin1')
}
