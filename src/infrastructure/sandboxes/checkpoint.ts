import { ok, type Result, refuse } from '../../domain/failure.ts'
import { type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PresentFolder } from './present-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import { latestState, recordState, treeOf } from './store/states.ts'

interface CheckpointInput {
  readonly label: string
  readonly written: readonly RelPath[] | 'unknown'
}

/** Takes the checkpoints of one sandbox, each a child of the one before; where nothing changed, that one again. */
export function checkpointer(store: PrivateStore, folder: PresentFolder) {
  return async ({ label, written }: CheckpointInput, signal: AbortSignal): Promise<Result<SandboxState>> => {
    const before = await findLatest(store)
    if (!before.ok) return before
    const latest = before.value
    const snapshot = await folder.take(written, latest.tree, signal)
    if (!snapshot.ok) return snapshot
    const { tree, unreadable } = snapshot.value
    if (unreadable.length > 0) return refuseUnreadable(unreadable)
    if (latest.tree === tree) return ok(latest.state)
    return recordState(store, { tree, parent: latest.state, label, ref: 'checkpoints' }, signal)
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
