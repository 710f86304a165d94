import { ok, type Result, refuse } from '../../domain/failure.ts'
import { bytesOfRelPath, type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PresentTree } from './present-tree.ts'
import type { KnownFolders } from './store/folders-of-tree.ts'
import type { PrivateStore } from './store/private-store.ts'
import { type Snapshot, snapshotFolder, snapshotPaths, type WorkFolder } from './store/snapshot.ts'
import { snapshotWritten } from './store/snapshot-written.ts'
import { latestState, recordState, treeOf } from './store/states.ts'

interface CheckpointInput {
  readonly label: string
  readonly written: readonly RelPath[] | 'unknown'
}

/** Takes the checkpoints of one sandbox, each a child of the one before; where nothing changed, that one again. */
export function checkpointer(store: PrivateStore, work: WorkFolder, present: PresentTree) {
  const take = snapshots(store, work, present)
  let latest: { state: SandboxState; tree: string } | null = null

  return async ({ label, written }: CheckpointInput, signal: AbortSignal): Promise<Result<SandboxState>> => {
    const snapshot = await take(written, signal)
    if (!snapshot.ok) return snapshot
    const { tree, unreadable } = snapshot.value
    if (unreadable.length > 0) return refuseUnreadable(unreadable)
    const before = latest ? ok(latest) : await findLatest(store)
    if (!before.ok) return before
    latest = before.value
    if (latest.tree === tree) return ok(latest.state)
    const recorded = await recordState(
      store,
      { tree, parent: latest.state, label, ref: 'checkpoints' },
      signal,
    )
    if (recorded.ok) latest = { state: recorded.value, tree }
    return recorded
  }
}

/** The cheapest way that is right: only what was written, when the rest is known; else all of the folder. */
function snapshots(store: PrivateStore, work: WorkFolder, present: PresentTree) {
  const known: KnownFolders = new Map()

  async function whole(signal: AbortSignal): Promise<Result<Snapshot>> {
    const taken = await snapshotFolder(store, work, signal)
    Object.assign(present, { tree: taken.ok ? taken.value.tree : null, isIndexBehind: !taken.ok })
    return taken
  }

  async function only(before: string, paths: readonly Uint8Array[], signal: AbortSignal) {
    const tree = await treeWithWritten(store, known, { folder: work, before }, paths)
    if (tree !== null) {
      Object.assign(present, { tree, isIndexBehind: present.isIndexBehind || tree !== before })
      return ok({ tree, nested: [], unreadable: [] })
    }
    if (present.isIndexBehind) return whole(signal)
    const taken = await snapshotPaths(store, work, paths, signal)
    present.tree = taken.ok ? taken.value.tree : null
    return taken
  }

  return (written: CheckpointInput['written'], signal: AbortSignal): Promise<Result<Snapshot>> =>
    written === 'unknown' || present.tree === null
      ? whole(signal)
      : only(present.tree, written.map(bytesOfRelPath), signal)
}

/** Null when git has to do it: its index knows every case. */
async function treeWithWritten(
  store: PrivateStore,
  known: KnownFolders,
  place: { folder: WorkFolder; before: string },
  paths: readonly Uint8Array[],
): Promise<string | null> {
  try {
    const written = await snapshotWritten(store, known, place, paths)
    return written.ok ? written.value : null
  } catch {
    return null
  }
}

async function findLatest(store: PrivateStore): Promise<Result<{ state: SandboxState; tree: string }>> {
  const state = await latestState(store)
  if (!state.ok) return state
  const tree = await treeOf(store, state.value)
  return tree.ok ? ok({ state: state.value, tree: tree.value }) : tree
}

function refuseUnreadable(paths: readonly Buffer[]) {
  const names = paths.map(path => relPathFromBytes(path)).flatMap(path => (path.ok ? [path.value] : []))
  return refuse('checkpoint_unverified', `No checkpoint was taken: ${names.join(', ')} cannot be read.`, {
    paths: names,
  })
}
