import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { PlanId } from '../../../domain/ids.ts'
import type { Origin, SandboxState } from '../../../domain/sandbox/strategy.ts'
import { storeBeside } from './plan-folder.ts'
import type { PrivateStore } from './private-store.ts'
import { latestState, recordState, treeOf } from './states.ts'

export interface OtherStates {
  readonly planId: PlanId
  readonly states: readonly SandboxState[]
}

/**
 * Copies what states of another plan hold and this store lacks, in one pack, and names their trees. The other store is
 * only read. `present` is a tree that is here already, so that what is like it need not come.
 */
export async function bringTrees(
  store: PrivateStore,
  { planId, states }: OtherStates,
  present: string,
  signal?: AbortSignal,
): Promise<Result<string[]>> {
  const borrowedObjects = join(storeBeside(store.folder, planId), 'objects')
  if (!existsSync(borrowedObjects))
    return refuse('not_found', 'The recorded states of the other plan are gone.', { plan_id: planId })
  const trees: string[] = []
  for (const state of states) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${state}^{tree}`]
    const tree = await store.run({ args, borrowedObjects }, signal)
    if (!tree.ok)
      return refuse('not_found', `The state ${state} is not in the other plan's store.`, { state })
    trees.push(tree.value.toString().trim())
  }
  const pack = join(store.folder.store, 'objects', 'pack', 'pack')
  const args = ['pack-objects', '--quiet', '--revs', '--non-empty', '--window=0', pack]
  const stdin = Buffer.from([...trees, `^${present}`].map(line => `${line}\n`).join(''))
  const packed = await store.run({ args, borrowedObjects, stdin }, signal)
  return packed.ok ? ok(trees) : packed
}

/** A state of another plan as one of this store. */
export async function receiveState(
  store: PrivateStore,
  { planId, state }: Origin,
): Promise<Result<SandboxState>> {
  const own = storeBeside(store.folder, planId) === store.folder.store
  if (own) {
    const known = await treeOf(store, state)
    return known.ok ? ok(state) : known
  }
  const latest = await latestState(store)
  if (!latest.ok) return latest
  const present = await treeOf(store, latest.value)
  if (!present.ok) return present
  const brought = await bringTrees(store, { planId, states: [state] }, present.value)
  if (!brought.ok) return brought
  const [tree = ''] = brought.value
  return recordState(store, {
    tree,
    parent: null,
    label: 'received',
    ref: 'received',
    // However often it is asked for, it is one state.
    recordedAt: new Date(0),
  })
}
