import { ok, type Result } from '../../domain/failure.ts'
import type { MergeReport, MergeSource } from '../../domain/sandbox/strategy.ts'
import type { PresentFolder } from './present-folder.ts'
import { restoreState } from './restore.ts'
import { bringTrees } from './store/bring-trees.ts'
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
  const { planId, from, to } = source
  const brought = await bringTrees(store, { planId, states: [from, to] }, here.value.tree, signal)
  if (!brought.ok) return brought
  const [base = '', theirs = ''] = brought.value
  const trees = { base, mine: here.value.tree, theirs }
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
