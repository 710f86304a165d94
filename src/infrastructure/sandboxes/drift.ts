import { ok, type Result } from '../../domain/failure.ts'
import { bytesText, type RelPath, relPathFromBytes } from '../../domain/sandbox/rel-path.ts'
import type { DriftedPath, SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PresentFolder } from './present-folder.ts'
import type { PrivateStore } from './store/private-store.ts'
import { treeOf } from './store/states.ts'
import type { TreeChange } from './store/tree-diff.ts'

/** Paths of a folder that differ from a recorded state by content, but for those named as written. */
export async function findDrift(
  store: PrivateStore,
  folder: PresentFolder,
  { recorded, written }: { recorded: SandboxState; written: readonly RelPath[] },
  signal: AbortSignal,
): Promise<Result<readonly DriftedPath[]>> {
  const tree = await treeOf(store, recorded)
  if (!tree.ok) return tree
  const expected = new Set(written.map(bytesText))
  const changes = await folder.differences(tree.value, expected, signal)
  if (!changes.ok) return changes
  const drifted = changes.value.flatMap(change => {
    const path = relPathFromBytes(change.path)
    return path.ok ? [{ path: path.value, ...whatHappened(change) }] : []
  })
  return ok(drifted.sort((a, b) => (a.path < b.path ? -1 : 1)))
}

function whatHappened({ old, new: now }: TreeChange): Omit<DriftedPath, 'path'> {
  if (now === null) return { how: 'removed', content: null }
  return { how: old === null ? 'added' : 'changed', content: `${now.mode} ${now.object}` }
}
