import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  AppliedReport,
  ApplyReport,
  ApplyWatch,
  SandboxState,
  UnfinishedApply,
} from '../../domain/sandbox/strategy.ts'
import { isDiskFull } from '../git/git.ts'
import { fetchMissing, flushProject } from './journal/contents.ts'
import { goBack } from './journal/go-back.ts'
import { goForward } from './journal/go-forward.ts'
import {
  type ApplyJournal,
  bytesOf,
  closeJournal,
  hasJournal,
  readJournal,
  readUndo,
  writeUndo,
} from './journal/journal.ts'
import { giveBackTakenAway, giveWayToLateWriters } from './journal/late-writers.ts'
import { sweepPlaces } from './journal/places.ts'
import { type Run, runOver } from './journal/run.ts'
import { relPathsOf } from './store/changed-paths.ts'
import { listChanges } from './store/changes.ts'
import type { PrivateStore } from './store/private-store.ts'
import { withoutPaths } from './store/select-paths.ts'
import { recordState, treeOf } from './store/states.ts'
import { diffTrees } from './store/tree-diff.ts'

/** Removes what an apply left that was killed before its journal was there, or after it was done. */
export async function sweepIfDone(store: PrivateStore): Promise<Result<void>> {
  if (!hasJournal(store.folder)) await sweepPlaces(store.folder)
  return ok()
}

/** What the journal that lies there says, compared with the user's files as they are. */
export async function findUnfinished(store: PrivateStore): Promise<UnfinishedApply | null> {
  const journal = await readJournal(store.folder)
  if (journal === null) return null
  const run = runOver(store, journal)
  const { written, waiting } = await sortPaths(run)
  const undoing = (await readUndo(store.folder)) !== null
  return { startedAt: journal.startedAt, written, waiting, undoing }
}

async function sortPaths(run: Run): Promise<{ written: RelPath[]; waiting: RelPath[] }> {
  const written: RelPath[] = []
  const waiting: RelPath[] = []
  for (const operation of run.journal.operations) {
    const { is } = await run.standing(operation)
    if (is === 'new') written.push(operation.path)
    if (is === 'old') waiting.push(operation.path)
  }
  return { written, waiting }
}

/** Goes on with an apply whose process ended. */
export async function settleApply(
  store: PrivateStore,
  way: 'finish' | 'undo',
  signal: AbortSignal,
  watch: ApplyWatch = {},
): Promise<Result<ApplyReport>> {
  const journal = await readJournal(store.folder)
  if (journal === null)
    return refuse(
      'invalid_state',
      'No apply of this plan was interrupted, so there is nothing to finish or undo.',
    )
  const run = runOver(store, journal, watch.onStep)
  try {
    const isUndoing = (await readUndo(store.folder)) !== null
    if (way === 'undo') return await takeBack(run, signal)
    if (isUndoing)
      return refuse(
        'invalid_state',
        'The apply is being put back already. Go on with the undo, then apply again.',
      )
    const ready = await fetchMissing(run, 'forward', signal)
    if (!ready.ok) return ready
    await goForward(run, signal)
    return await conclude(run, watch)
  } catch (error) {
    return stillUnfinished(journal, error, signal)
  }
}

/** Performs the journal that was just written. Where the disk refuses, all that was done is taken back. */
export async function carryOut(
  store: PrivateStore,
  journal: ApplyJournal,
  watch: ApplyWatch,
): Promise<Result<ApplyReport>> {
  const run = runOver(store, journal, watch.onStep)
  const never = new AbortController().signal
  try {
    await goForward(run)
    return await conclude(run, watch)
  } catch (error) {
    try {
      const back = await takeBack(runOver(store, journal, watch.onStep), never)
      return back.ok ? tookBack(journal, error) : back
    } catch (second) {
      return stillUnfinished(journal, second, never)
    }
  }
}

async function conclude(run: Run, { onWritten }: ApplyWatch): Promise<Result<ApplyReport>> {
  await giveWayToLateWriters(run)
  await flushProject(run)
  const report = await reportOf(run)
  if (!report.ok) return report
  await onWritten?.(report.value)
  await close(run)
  return report
}

async function close(run: Run): Promise<void> {
  await closeJournal(run.store.folder)
  run.tell('close_journal')
  await sweepPlaces(run.store.folder)
  run.tell('sweep')
}

async function takeBack(run: Run, signal: AbortSignal): Promise<Result<ApplyReport>> {
  const { folder } = run.store
  const begun = await readUndo(folder)
  const written = begun ?? (await sortPaths(run)).written
  if (begun === null) {
    await writeUndo(folder, written)
    run.tell('write_journal')
  }
  const ready = await fetchMissing(run, 'back', signal)
  if (!ready.ok) return ready
  await goBack(run, signal)
  await giveBackTakenAway(run)
  await flushProject(run)
  await close(run)
  const restored = written.filter(path => !run.left.has(path))
  return ok({ outcome: 'undone', restored, left: [...run.left.values()] })
}

async function reportOf(run: Run): Promise<Result<AppliedReport>> {
  const { store, journal, left, notices } = run
  const asked = await diffTrees(store, journal.trees.base, journal.trees.plan)
  if (!asked.ok) return asked
  const state = await appliedState(run)
  if (!state.ok) return state
  const touched = new Set(journal.operations.map(({ path }) => path))
  const written = [...touched].filter(path => !left.has(path)).sort(inOrderOfBytes)
  return ok({
    outcome: 'applied',
    written,
    unchanged: relPathsOf(asked.value).filter(path => !touched.has(path)),
    left: [...left.values()],
    notices,
    state: state.value,
  })
}

function inOrderOfBytes(one: RelPath, other: RelPath): number {
  return Buffer.compare(bytesOf(one), bytesOf(other))
}

/** The state that names what the user's tree has of the plan now. */
async function appliedState({ store, journal, left }: Run): Promise<Result<SandboxState>> {
  const { from, to, trees } = journal
  const kept = await planPathsOf(store, journal, [...left.keys()])
  if (!kept.ok) return kept
  const tree = await withoutPaths(store, { from: trees.base, to: trees.plan, except: kept.value })
  if (!tree.ok) return tree
  const whole = await treeOf(store, to)
  if (!whole.ok || whole.value === tree.value) return whole.ok ? ok(to) : whole
  return recordState(store, { tree: tree.value, parent: from, label: 'applied in part', ref: 'applied' })
}

/** A path of the project by the name that the plan knows it by: the user may have moved it. */
async function planPathsOf(
  store: PrivateStore,
  { trees }: ApplyJournal,
  paths: readonly RelPath[],
): Promise<Result<RelPath[]>> {
  if (paths.length === 0) return ok([])
  const moved = await listChanges(store, trees.base, trees.user)
  if (!moved.ok) return moved
  const oldPaths = new Map(moved.value.files.map(file => [file.path, file.oldPath]))
  return ok(paths.map(path => oldPaths.get(path) ?? path))
}

function tookBack(journal: ApplyJournal, error: unknown) {
  const message = messageOf(error)
  if (isDiskFull(message))
    return refuse(
      'disk_full',
      `The disk is full. ${journal.root} is as it was. Free some space and try again.`,
      {
        folder: journal.root,
      },
    )
  return refuse('conflict', `${journal.root} could not be written and is as it was before: ${message}.`, {
    reason: message,
  })
}

function stillUnfinished(journal: ApplyJournal, error: unknown, signal: AbortSignal) {
  if (signal.aborted)
    return refuse('interrupted', 'Stopped. The apply is still half done: finish it or undo it.')
  return refuse(
    isDiskFull(messageOf(error)) ? 'disk_full' : 'sandbox_failed',
    `The apply to ${journal.root} is still half done: ${messageOf(error)}. Remove the cause, then finish it or undo it.`,
    { folder: journal.root },
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
