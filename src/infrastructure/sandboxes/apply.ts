import { ok, type Result } from '../../domain/failure.ts'
import { type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { ApplyOptions, ApplyReport, SandboxState } from '../../domain/sandbox/strategy.ts'
import { mergeStates } from './store/merge.ts'
import type { PrivateStore } from './store/private-store.ts'
import { selectPaths } from './store/select-paths.ts'
import { snapshotFolder, type WorkFolder } from './store/snapshot.ts'
import { recordState, treeOf } from './store/states.ts'
import { diffTrees, type TreeChange } from './store/tree-diff.ts'
import { executeWrites } from './writes/execute.ts'
import { prepareWrites } from './writes/prepare.ts'

export interface ApplyInput {
  readonly baseline: SandboxState
  readonly state: SandboxState
  readonly options: ApplyOptions
}

/**
 * Brings the plan's changes home. The merge happens between trees in the plan's store; the project's folder is first
 * written when the whole result is known, checked and staged.
 */
export async function applyState(
  store: PrivateStore,
  project: WorkFolder,
  { baseline, state, options }: ApplyInput,
  signal: AbortSignal,
): Promise<Result<ApplyReport>> {
  const base = await treeOf(store, baseline)
  if (!base.ok) return base
  const plan = await chosenTree(store, base.value, state, options)
  if (!plan.ok) return plan
  const present = await snapshotFolder(store, project, signal)
  if (!present.ok) return present

  const merged = await mergeTrees(store, baseline, { user: present.value.tree, plan: plan.value }, signal)
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
  return executed.ok ? ok(report(changes.value, asked.value)) : executed
}

async function chosenTree(
  store: PrivateStore,
  base: string,
  state: SandboxState,
  options: ApplyOptions,
): Promise<Result<string>> {
  const whole = await treeOf(store, state)
  if (!whole.ok || options.only === null) return whole
  return selectPaths(store, { from: base, to: whole.value, only: options.only })
}

// Both sides get the baseline as their only parent: whatever else happened to either, that is what they share.
async function mergeTrees(
  store: PrivateStore,
  baseline: SandboxState,
  trees: { user: string; plan: string },
  signal: AbortSignal,
) {
  const user = await recordState(
    store,
    { tree: trees.user, parent: baseline, label: 'project', ref: null },
    signal,
  )
  if (!user.ok) return user
  const plan = await recordState(
    store,
    { tree: trees.plan, parent: baseline, label: 'plan', ref: null },
    signal,
  )
  if (!plan.ok) return plan
  return mergeStates(store, user.value, plan.value)
}

function constrained(
  conflicts: Extract<ApplyReport, { outcome: 'constrained' }>['conflicts'],
): Result<ApplyReport> {
  return ok({ outcome: 'constrained', conflicts })
}

function report(changes: readonly TreeChange[], asked: readonly TreeChange[]): ApplyReport {
  const written = pathsOf(changes)
  const isWritten = new Set(written)
  return { outcome: 'applied', written, unchanged: pathsOf(asked).filter(path => !isWritten.has(path)) }
}

function pathsOf(changes: readonly TreeChange[]): RelPath[] {
  return changes.flatMap(change => {
    const path = relPathFromBytes(change.path)
    return path.ok ? [path.value] : []
  })
}
