import { ok, type Result } from '../../domain/failure.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import type { PrivateStore } from './store/private-store.ts'
import { snapshotFolder, type WorkFolder } from './store/snapshot.ts'
import { lastOf, recordState, treeOf } from './store/states.ts'

/** The project's tree as it is now; the same state again while nothing in it changed. */
export async function captureProject(
  store: PrivateStore,
  project: WorkFolder,
  signal: AbortSignal,
): Promise<Result<SandboxState>> {
  const present = await snapshotFolder(store, project, signal)
  if (!present.ok) return present
  const { tree } = present.value
  for (const family of ['project', 'baseline'] as const) {
    const last = lastOf(store, family)
    const known = last ? await treeOf(store, last) : null
    if (last && known?.ok && known.value === tree) return ok(last)
  }
  return recordState(store, { tree, parent: null, label: 'the project', ref: 'project' }, signal)
}
