import { ok, type Result, refuse } from '../../domain/failure.ts'
import { type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { ApplyChoice, ApplyReport, ApplyRequest, SandboxState } from '../../domain/sandbox/strategy.ts'
import { mergeStates } from './store/merge.ts'
import type { PrivateStore } from './store/private-store.ts'
import { selectPaths } from './store/select-paths.ts'
import { snapshotFolder, type WorkFolder } from './store/snapshot.ts'
import { recordState, treeOf } from './store/states.ts'
import { diffTrees, type TreeChange } from './store/tree-diff.ts'
import { executeWrites } from './writes/execute.ts'
import { prepareWrites } from './writes/prepare.ts'

/**
 * Brings the plan's changes home. The merge happens between trees in the plan's store; the project's folder is first
 * written when the whole result is known, checked and staged.
 */
export async function applyState(
  store: PrivateStore,
  project: WorkFolder,
  { from, to, choice }: ApplyRequest,
  signal: AbortSignal,
): Promise<Result<ApplyReport>> {
  const base = await treeOf(store, from)
  if (!base.ok) return base
  const plan = await chosenTree(store, base.value, to, choice)
  if (!plan.ok) return plan
  const present = await snapshotFolder(store, project, signal)
  if (!present.ok) return present

  const merged = await mergeTrees(store, from, { user: present.value.tree, plan: plan.value }, signal)
  if (!merged.ok) return merged
  if (merged.value.outcome === 'conflicts') return constrained(merged.value.conflicts)

  const asked = await diffTrees(store, base.value, plan.value)
  if (!asked.ok) return asked
  const changes = await diffTrees(store, present.value.tree, merged.value.tree)
  if (!changes.ok) return changes
  const prepared = await prepareWrites(
    store,
    project.workTree,
    { changes: changes.value, obstacles: 'conflict' },
    signal,
  )
  if (!prepared.ok) return prepared
  if (prepared.value.outcome === 'conflicts') return constrained(prepared.value.conflicts)
  const executed = await executeWrites(prepared.value.prepared)
  if (!executed.ok) return executed
  const applied = await appliedState(store, { from, to, tree: plan.value })
  return applied.ok ? ok(report(changes.value, asked.value, applied.value)) : applied
}

/** The state that names what the user's tree has of the plan now. */
async function appliedState(
  store: PrivateStore,
  { from, to, tree }: { from: SandboxState; to: SandboxState; tree: string },
): Promise<Result<SandboxState>> {
  const whole = await treeOf(store, to)
  if (!whole.ok || whole.value === tree) return whole.ok ? ok(to) : whole
  return recordState(store, { tree, parent: from, label: 'applied in part', ref: 'applied' })
}

async function chosenTree(
  store: PrivateStore,
  base: string,
  to: SandboxState,
  choice: ApplyChoice,
): Promise<Result<string>> {
  const whole = await treeOf(store, to)
  if (!whole.ok || choice.kind === 'all') return whole
  if (choice.kind === 'paths') return selectPaths(store, { from: base, to: whole.value, only: choice.only })
  return refuse('not_available', 'Choosing single hunks is not available yet; choose files.')
}

// Both sides get the same state as their only parent: whatever else happened to either, that is what they share.
async function mergeTrees(
  store: PrivateStore,
  from: SandboxState,
  trees: { user: string; plan: string },
  signal: AbortSignal,
) {
  const user = await recordState(
    store,
    { tree: trees.user, parent: from, label: 'project', ref: null },
    signal,
  )
  if (!user.ok) return user
  const plan = await recordState(store, { tree: trees.plan, parent: from, label: 'plan', ref: null }, signal)
  if (!plan.ok) return plan
  return mergeStates(store, user.value, plan.value)
}

function constrained(
  conflicts: Extract<ApplyReport, { outcome: 'constrained' }>['conflicts'],
): Result<ApplyReport> {
  return ok({ outcome: 'constrained', conflicts })
}

function report(
  changes: readonly TreeChange[],
  asked: readonly TreeChange[],
  state: SandboxState,
): ApplyReport {
  const written = pathsOf(changes)
  const isWritten = new Set(written)
  const unchanged = pathsOf(asked).filter(path => !isWritten.has(path))
  return { outcome: 'applied', written, unchanged, state }
}

function pathsOf(changes: readonly TreeChange[]): RelPath[] {
  return changes.flatMap(change => {
    const path = relPathFromBytes(change.path)
    return path.ok ? [path.value] : []
  })
}
