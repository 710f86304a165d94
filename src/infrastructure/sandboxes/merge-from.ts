import { ok, type Result } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  MergeReport,
  MergeSource,
  OnConflict,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import type { PresentFolder } from './present-folder.ts'
import { restoreState } from './restore.ts'
import { bringTrees } from './store/bring-trees.ts'
import { decide, type Merged, mergeTrees, type Sides } from './store/merge.ts'
import { storeBeside } from './store/plan-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import { latestState, recordState, treeOf } from './store/states.ts'

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
  const settled = await settle(store, merged.value, source.onConflict ?? 'refuse')
  if (!settled.ok) return settled
  if (settled.value.outcome === 'conflicts')
    return ok({ outcome: 'constrained', conflicts: settled.value.conflicts })
  return write(store, folder, { before: here.value.tree, ...settled.value }, signal)
}

type Settled =
  | { readonly outcome: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }
  | { readonly outcome: 'clean'; readonly tree: string; readonly decided: readonly RelPath[] }

async function settle(store: PrivateStore, merged: Merged, onConflict: OnConflict): Promise<Result<Settled>> {
  if (merged.outcome === 'clean') return ok({ ...merged, decided: [] })
  if (onConflict === 'refuse') return ok(merged)
  const tree = await decide(store, merged, onConflict === 'take_theirs' ? 'theirs' : 'mine')
  const decided = merged.conflicts.map(({ path }) => path)
  return tree.ok ? ok({ outcome: 'clean', tree: tree.value, decided }) : tree
}

interface Merging {
  readonly before: string
  readonly tree: string
  readonly decided: readonly RelPath[]
}

/** Both ends are recorded first: whoever finds the folder between them can return to either. */
async function write(
  store: PrivateStore,
  folder: PresentFolder,
  { before, tree, decided }: Merging,
  signal: AbortSignal,
): Promise<Result<MergeReport>> {
  const parent = await recordPresent(store, before, signal)
  if (!parent.ok) return parent
  const kept = { parent: parent.value, label: 'merged', ref: 'merged' } as const
  const state = tree === before ? parent : await recordState(store, { tree, ...kept }, signal)
  if (!state.ok) return state
  const asked = { state: state.value, scope: { kind: 'all' } } as const
  const written = await restoreState(store, folder, asked, signal)
  if (!written.ok) return written
  const { restored, removed } = written.value
  return ok({ outcome: 'merged', written: [...restored, ...removed], decided, state: state.value })
}

async function recordPresent(
  store: PrivateStore,
  tree: string,
  signal: AbortSignal,
): Promise<Result<SandboxState>> {
  const latest = await latestState(store)
  if (!latest.ok) return latest
  const known = await treeOf(store, latest.value)
  if (!known.ok || known.value === tree) return known.ok ? latest : known
  const state = { tree, parent: latest.value, label: 'before a merge', ref: 'checkpoints' } as const
  return recordState(store, state, signal)
}

// What is merged from the plan's own store is what the user did meanwhile.
function sidesOf({ folder }: PrivateStore, { planId }: MergeSource): Sides {
  return storeBeside(folder, planId) === folder.store ? 'you and the plan' : 'the two plans'
}
