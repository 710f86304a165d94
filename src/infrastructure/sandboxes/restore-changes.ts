import { ok, type Result } from '../../domain/failure.ts'
import { bytesText } from '../../domain/sandbox/rel-path.ts'
import type { RestoreScope, SandboxState } from '../../domain/sandbox/strategy.ts'
import { firstSeen } from './store/first-seen.ts'
import { ignoredInTree } from './store/ignored-in-tree.ts'
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
  /**
   * Recorded since, because somebody stopped ignoring it; ignored in that state. It was there all along and stays, with
   * the content it had when it was first seen.
   */
  readonly unrecorded: readonly TreeChange[]
}

/** What lies between the tree of a folder and a state: what a restore does, and what its preview shows. */
export async function restoreChanges(
  store: PrivateStore,
  present: string,
  { state, scope }: { state: SandboxState; scope: RestoreScope },
  signal: AbortSignal,
): Promise<Result<RestoreChanges>> {
  const wanted = await treeOf(store, state)
  if (!wanted.ok) return wanted
  const changes = await diffTrees(store, present, wanted.value)
  if (!changes.ok) return changes
  const scoped = byScope(changes.value, scope)
  const parted = await partUnrecorded(store, { state, tree: wanted.value }, scoped.changes, signal)
  return parted.ok ? ok({ wanted: wanted.value, kept: scoped.kept, ...parted.value }) : parted
}

/** Tells changes on the way to a state from those that only end the recording of a file. */
export async function partUnrecorded(
  store: PrivateStore,
  wanted: { readonly state: SandboxState; readonly tree: string },
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<Result<Pick<RestoreChanges, 'changes' | 'unrecorded'>>> {
  const unrecorded = await findUnrecorded(store, wanted, changes, signal)
  if (!unrecorded.ok) return unrecorded
  const stays = new Set(unrecorded.value.map(change => change.path.toString('latin1')))
  const left = changes.filter(change => !stays.has(change.path.toString('latin1')))
  return ok({ changes: left, unrecorded: unrecorded.value })
}

export function isRewritten(change: TreeChange): boolean {
  return change.old?.object !== change.new?.object || change.old?.mode !== change.new?.mode
}

export function byScope(changes: readonly TreeChange[], scope: RestoreScope) {
  const isIn = inScope(scope)
  return { changes: changes.filter(isIn), kept: changes.filter(change => !isIn(change)) }
}

function inScope(scope: RestoreScope): (change: TreeChange) => boolean {
  if (scope.kind === 'all') return () => true
  const named = new Set(scope.paths.map(bytesText))
  return ({ path }) => named.has(path.toString('latin1')) === (scope.kind === 'only')
}

// Only where what is ignored differs between here and there can a recorded file be one that the state ignores.
async function findUnrecorded(
  store: PrivateStore,
  wanted: { readonly state: SandboxState; readonly tree: string },
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<Result<readonly TreeChange[]>> {
  const removed = changes.filter(change => change.new === null)
  if (removed.length === 0 || !changes.some(isIgnoreFile)) return ok([])
  const paths = removed.map(change => change.path)
  const ignored = await ignoredInTree(store, wanted.tree, paths, signal)
  if (!ignored.ok || ignored.value.size === 0) return ignored.ok ? ok([]) : ignored
  const seen = await firstSeen(store, wanted.state, signal)
  if (!seen.ok) return seen
  return ok(
    removed
      .filter(change => ignored.value.has(change.path.toString('latin1')))
      .map(change => ({ ...change, new: seen.value.get(change.path.toString('latin1')) ?? change.old })),
  )
}

function isIgnoreFile({ path }: TreeChange): boolean {
  return /(^|\/)\.gitignore$/.test(path.toString('latin1'))
}
