import { type Result, refuse } from '../../domain/failure.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyReport,
  ChildOrigin,
  Sandbox,
  SandboxEntry,
  SandboxState,
  SandboxStrategyName,
} from '../../domain/sandbox/strategy.ts'
import { fsFailure } from '../files/fs-failure.ts'
import { applyState, chosenState } from './apply.ts'
import { captureProject } from './capture-project.ts'
import { checkpointer } from './checkpoint.ts'
import { findDrift } from './drift.ts'
import type { ApplyLock } from './journal/lock.ts'
import { mayBeUnfinished } from './journal/places.ts'
import { mergeFrom } from './merge-from.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PresentFolder } from './present-folder.ts'
import { previewRestore } from './preview-restore.ts'
import { isEarlier, refuseEarlier } from './renew.ts'
import { restoreState } from './restore.ts'
import { findUnfinished, settleApply, sweepIfDone } from './settle-apply.ts'
import { receiveState } from './store/bring-trees.ts'
import { listChanges, writePatch } from './store/changes.ts'
import type { Ownership } from './store/ownership.ts'
import type { PrivateStore } from './store/private-store.ts'
import { replayWork } from './store/replay.ts'
import { selectPaths } from './store/select-paths.ts'
import type { WorkFolder } from './store/snapshot.ts'
import { treeOf } from './store/states.ts'

export interface OpenedInput {
  readonly strategy: SandboxStrategyName
  readonly store: PrivateStore
  readonly work: PresentFolder
  readonly ownership: Ownership
  readonly lock: ApplyLock
  readonly projectRoot: string
  readonly baseline: SandboxState
  readonly startedFrom: ChildOrigin | null
  readonly notices: readonly string[]
  /** The plan has ended and its working folder is gone: its states can be read, nothing can be done. */
  readonly isReleased: boolean
}

/** The verbs over one plan's store and folder. The strategies differ in how the folder came to be. */
export function openedSandbox(input: OpenedInput): Sandbox {
  const { strategy, store, work, ownership, lock, projectRoot, baseline, notices } = input
  const project: WorkFolder = { workTree: projectRoot, index: store.folder.userIndex }
  const takeCheckpoint = checkpointer(store, work)
  const closing = new AbortController()
  const inTurn = oneAtATime()
  // Looking at a plan takes nothing from the process that works on it; writing does.
  const write = <Value>(operation: () => Promise<Result<Value>>): Promise<Result<Value>> =>
    answered(async () => {
      if (input.isReleased) return refuseReleased()
      const taken = await ownership.take(store.folder)
      return taken.ok ? operation() : taken
    })
  const look = <Value>(operation: () => Promise<Result<Value>>): Promise<Result<Value>> =>
    answered(async () => (input.isReleased ? refuseReleased() : operation()))
  const answered = <Value>(operation: () => Promise<Result<Value>>): Promise<Result<Value>> =>
    inTurn(() => operation().catch(error => refusalOf(error, closing.signal)))

  const goBack = <Value>(
    state: SandboxState,
    operation: () => Promise<Result<Value>>,
  ): Promise<Result<Value>> =>
    isEarlier(store.folder, state) ? Promise.resolve(refuseEarlier(state)) : operation()

  const writing = async (operation: () => Promise<Result<ApplyReport>>): Promise<Result<ApplyReport>> => {
    const report = await lock.hold(store.folder, projectRoot, operation)
    await work.projectChanged()
    return report
  }

  return {
    strategy,
    root: work.root,
    enter: () => look<SandboxEntry | null>(() => work.enter()),
    databases: null,
    baseline,
    startedFrom: input.startedFrom,
    notices,
    checkpoint: (label, written) => write(() => takeCheckpoint({ label, written }, closing.signal)),
    restore: (state, scope = { kind: 'all' }) =>
      goBack(state, () => write(() => restoreState(store, work, { state, scope }, closing.signal))),
    previewRestore: (state, about) =>
      goBack(state, () => look(() => previewRestore(store, work, { state, ...about }, closing.signal))),
    drift: (recorded, written) => look(() => findDrift(store, work, { recorded, written }, closing.signal)),
    unrecorded: async () => [],
    captureProject: () => write(() => captureProject(store, project, closing.signal)),
    changes: (from, to) => betweenTrees(store, from, to, (a, b) => listChanges(store, a, b)),
    patch: (from, to, only) =>
      betweenTrees(store, from, to, (a, b) => patch(store, { from: a, to: b, only: only ?? null })),
    choose: request => chosenState(store, request),
    apply: (request, signal, watch) =>
      write(() => {
        const ending = { signal: AbortSignal.any([signal, closing.signal]), watch }
        return writing(() => applyState(store, project, request, ending))
      }),
    unfinishedApply: () =>
      inTurn(async () => {
        if (!mayBeUnfinished(store.folder)) return null
        const swept = await lock.hold(store.folder, projectRoot, () => sweepIfDone(store))
        // A living process is at it.
        if (!swept.ok && lock.isOwn(store.folder, swept.failure)) return null
        return findUnfinished(store)
      }),
    settleApply: (way, signal, watch) =>
      answered(async () => {
        await ownership.take(store.folder)
        const either = AbortSignal.any([signal, closing.signal])
        return writing(() => settleApply(store, way, either, watch))
      }),
    merge: (source, signal) => {
      const either = AbortSignal.any([signal, closing.signal])
      return write(() => mergeFrom(store, work, source, either))
    },
    receive: source => receiveState(store, source),
    replay: (onto, work) => replayWork(store, onto, work),
    close: async () => {
      closing.abort()
      await inTurn(work.leave)
    },
  }
}

/** What a file system or an end of the sandbox has to say is an answer; everything else is a bug. */
function refusalOf(error: unknown, closing: AbortSignal): Result<never> {
  if (closing.aborted) return refuse('interrupted', 'The sandbox was closed while it was at work.')
  const failure = fsFailure(error)
  if (failure === null) throw error
  return { ok: false, failure }
}

async function betweenTrees<Value>(
  store: PrivateStore,
  from: SandboxState,
  to: SandboxState,
  compare: (from: string, to: string) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const first = await treeOf(store, from)
  if (!first.ok) return first
  const second = await treeOf(store, to)
  return second.ok ? compare(first.value, second.value) : second
}

async function patch(
  store: PrivateStore,
  { from, to, only }: { from: string; to: string; only: readonly RelPath[] | null },
): Promise<Result<Uint8Array>> {
  if (only === null) return writePatch(store, from, to)
  const chosen = await selectPaths(store, { from, to, only })
  return chosen.ok ? writePatch(store, from, chosen.value) : chosen
}

function refuseReleased() {
  return refuse('invalid_state', 'The plan has ended and its sandbox was removed. Start a new plan.')
}
