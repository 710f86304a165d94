import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { MergeReport, MergeSource } from '../../domain/sandbox/strategy.ts'
import type { PresentFolder } from './present-folder.ts'
import { restoreState } from './restore.ts'
import { mergeTrees, type Sides } from './store/merge.ts'
import { storeBeside } from './store/plan-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import { recordState } from './store/states.ts'

/**
 * Lays what changed between two states of another plan's store into this plan's folder. The merge happens between trees
 * in this store; the folder is written once its whole result is known, and read back.
 */
export async function mergeFrom(
  store: PrivateStore,
  folder: PresentFolder,
  source: MergeSource,
  signal: AbortSignal,
): Promise<Result<MergeReport>> {
  const here = await folder.look(signal)
  if (!here.ok) return here
  const brought = await bringTrees(store, source, here.value.tree, signal)
  if (!brought.ok) return brought
  const { from, to } = brought.value
  const trees = { base: from, mine: here.value.tree, theirs: to }
  const merged = await mergeTrees(store, trees, sidesOf(store, source), signal)
  if (!merged.ok) return merged
  if (merged.value.outcome === 'conflicts')
    return ok({ outcome: 'constrained', conflicts: merged.value.conflicts })
  const label = 'merged'
  const state = await recordState(
    store,
    { tree: merged.value.tree, parent: null, label, ref: 'checkpoints' },
    signal,
  )
  if (!state.ok) return state
  const asked = { state: state.value, scope: { kind: 'all' } } as const
  const written = await restoreState(store, folder, asked, signal)
  if (!written.ok) return written
  const { restored, removed } = written.value
  return ok({ outcome: 'merged', written: [...restored, ...removed], state: state.value })
}

// What is merged from the plan's own store is what the user did meanwhile.
function sidesOf({ folder }: PrivateStore, { planId }: MergeSource): Sides {
  return storeBeside(folder, planId) === folder.store ? 'you and the plan' : 'the two plans'
}

interface Range {
  readonly from: string
  readonly to: string
}

/** Copies what the two states hold and this store lacks, in one pack; the other store is only read. */
async function bringTrees(
  store: PrivateStore,
  { planId, from, to }: MergeSource,
  present: string,
  signal: AbortSignal,
): Promise<Result<Range>> {
  const borrowedObjects = join(storeBeside(store.folder, planId), 'objects')
  if (!existsSync(borrowedObjects))
    return refuse('not_found', 'The recorded states of the other plan are gone.', { plan_id: planId })
  const sides = { from: '', to: '' }
  for (const [side, state] of [['from', from] as const, ['to', to] as const]) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${state}^{tree}`]
    const tree = await store.run({ args, borrowedObjects }, signal)
    if (!tree.ok)
      return refuse('not_found', `The state ${state} is not in the other plan's store.`, { state })
    sides[side] = tree.value.toString().trim()
  }
  const pack = join(store.folder.store, 'objects', 'pack', 'pack')
  const args = ['pack-objects', '--quiet', '--revs', '--non-empty', '--window=0', pack]
  const stdin = Buffer.from(`${sides.from}\n${sides.to}\n^${present}\n`)
  const packed = await store.run({ args, borrowedObjects, stdin }, signal)
  return packed.ok ? ok(sides) : packed
}
