import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyChoice,
  ApplyReport,
  ApplyRequest,
  ApplyWatch,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import type { Intent } from './journal/describe-apply.ts'
import { hasJournal } from './journal/journal.ts'
import { findUnfinishedElsewhere } from './journal/lock.ts'
import { sweepPlaces } from './journal/places.ts'
import { beginApply } from './journal/prepare.ts'
import { carryOut } from './settle-apply.ts'
import { listChanges } from './store/changes.ts'
import { mergeTrees } from './store/merge.ts'
import type { PrivateStore } from './store/private-store.ts'
import { selectHunks } from './store/select-hunks.ts'
import { selectPaths } from './store/select-paths.ts'
import { snapshotFolder, type WorkFolder } from './store/snapshot.ts'
import { recordState, treeOf } from './store/states.ts'
import { diffTrees, type TreeChange } from './store/tree-diff.ts'

/**
 * Brings the plan's changes home. The merge happens between trees in the plan's store; the project's folder is first
 * written when the whole result is known, checked, staged and written down. Whoever calls this holds the project's lock.
 */
export async function applyState(
  store: PrivateStore,
  project: WorkFolder,
  { from, to, choice }: ApplyRequest,
  { signal, watch = {} }: { readonly signal: AbortSignal; readonly watch: ApplyWatch | undefined },
): Promise<Result<ApplyReport>> {
  const settled = await refuseUnfinished(store, project.workTree)
  if (!settled.ok) return settled
  await sweepPlaces(store.folder)
  const base = await treeOf(store, from)
  if (!base.ok) return base
  const plan = await chosenTree(store, base.value, to, choice)
  if (!plan.ok) return plan
  const present = await snapshotFolder(store, project, signal)
  if (!present.ok) return present

  const sides = { base: base.value, mine: present.value.tree, theirs: plan.value }
  const merged = await mergeTrees(store, sides, 'you and the plan', signal)
  if (!merged.ok) return merged
  if (merged.value.outcome === 'conflicts') return constrained(merged.value.conflicts)

  const trees = { base: base.value, plan: plan.value, user: present.value.tree }
  const intent = await intentOf(store, { root: project.workTree, from, to, trees }, merged.value.tree)
  if (!intent.ok) return intent
  const begun = await beginApply(store, intent.value, watch.onStep ?? (() => {}), signal)
  if (!begun.ok) return begun
  if (begun.value.outcome === 'conflicts') return constrained(begun.value.conflicts)
  return carryOut(store, begun.value.journal, watch)
}

async function intentOf(
  store: PrivateStore,
  about: Pick<Intent, 'root' | 'from' | 'to' | 'trees'>,
  merged: string,
): Promise<Result<Intent>> {
  const { user } = about.trees
  const changes = await diffTrees(store, user, merged)
  if (!changes.ok) return changes
  const moves = await movesBetween(store, { from: user, to: merged, changes: changes.value })
  return moves.ok ? ok({ ...about, changes: changes.value, moves: moves.value }) : moves
}

async function movesBetween(
  store: PrivateStore,
  { from, to, changes }: { from: string; to: string; changes: readonly TreeChange[] },
): Promise<Result<ReadonlyMap<RelPath, RelPath>>> {
  const canMove = changes.some(change => change.old === null) && changes.some(change => change.new === null)
  if (!canMove) return ok(new Map())
  const listed = await listChanges(store, from, to)
  if (!listed.ok) return listed
  return ok(new Map(listed.value.files.flatMap(file => (file.oldPath ? [[file.oldPath, file.path]] : []))))
}

/** What of from..to is chosen, as a state of its own. */
export async function chosenState(
  store: PrivateStore,
  { from, to, choice }: ApplyRequest,
): Promise<Result<SandboxState>> {
  const base = await treeOf(store, from)
  if (!base.ok) return base
  const tree = await chosenTree(store, base.value, to, choice)
  if (!tree.ok) return tree
  return recordState(store, { tree: tree.value, parent: from, label: 'chosen', ref: 'applied' })
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
  return selectHunks(store, { from: base, to: whole.value, patch: choice.patch })
}

function constrained(
  conflicts: Extract<ApplyReport, { outcome: 'constrained' }>['conflicts'],
): Result<ApplyReport> {
  return ok({ outcome: 'constrained', conflicts })
}

async function refuseUnfinished(store: PrivateStore, root: string): Promise<Result<void>> {
  if (hasJournal(store.folder))
    return refuse(
      'invalid_state',
      'An earlier apply of this plan was interrupted half-way. Finish it or undo it before you apply again.',
    )
  const other = await findUnfinishedElsewhere(store.folder, root)
  if (other === null) return ok()
  return refuse(
    'invalid_state',
    `The apply of plan ${other} to this folder was interrupted half-way. Finish it or undo it first.`,
    { plan_id: other },
  )
}
