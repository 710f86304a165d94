import { ok, type Result } from '../../../domain/failure.ts'
import type { ReplayedWork, ReplayReport, SandboxState } from '../../../domain/sandbox/strategy.ts'
import { mergeTrees } from './merge.ts'
import type { PrivateStore } from './private-store.ts'
import { recordState, treeOf } from './states.ts'

/** Lays what changed between two states on a third, among the recorded trees alone. */
export async function replayWork(
  store: PrivateStore,
  onto: SandboxState,
  { from, to }: ReplayedWork,
): Promise<Result<ReplayReport>> {
  if (onto === from) return ok({ outcome: 'merged', state: to })
  if (from === to) return ok({ outcome: 'merged', state: onto })
  const base = await treeOf(store, from)
  if (!base.ok) return base
  const mine = await treeOf(store, onto)
  if (!mine.ok) return mine
  const theirs = await treeOf(store, to)
  if (!theirs.ok) return theirs
  if (mine.value === base.value) return ok({ outcome: 'merged', state: to })
  if (theirs.value === base.value) return ok({ outcome: 'merged', state: onto })
  const trees = { base: base.value, mine: mine.value, theirs: theirs.value }
  const merged = await mergeTrees(store, trees, 'both sides')
  if (!merged.ok) return merged
  if (merged.value.outcome === 'conflicts')
    return ok({ outcome: 'constrained', conflicts: merged.value.conflicts })
  const { tree } = merged.value
  if (tree === mine.value) return ok({ outcome: 'merged', state: onto })
  const state = await recordState(store, {
    tree,
    parent: onto,
    label: 'replayed',
    ref: 'replayed',
    // What is only looked at beforehand is then the very state that is restored.
    recordedAt: new Date(0),
  })
  return state.ok ? ok({ outcome: 'merged', state: state.value }) : state
}
