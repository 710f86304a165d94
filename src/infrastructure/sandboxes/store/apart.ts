import { ok, type Result } from '../../../domain/failure.ts'
import { bytesOfRelPath, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import { joinNul } from './nul-list.ts'
import type { PrivateStore } from './private-store.ts'
import { dropPaths, placeOf, type WorkFolder } from './snapshot.ts'

/** A database is several files while it is open; each of them alone is worth nothing. */
export function filesApart(apart: readonly RelPath[]): Buffer[] {
  return apart.flatMap(path =>
    ['', '-wal', '-shm', '-journal'].map(suffix =>
      Buffer.concat([bytesOfRelPath(path), Buffer.from(suffix)]),
    ),
  )
}

/** Takes them out of the index; the excludes keep them from coming back. */
export async function leaveOut(
  store: PrivateStore,
  folder: WorkFolder,
  paths: readonly Buffer[],
  signal: AbortSignal,
): Promise<Result<void>> {
  if (paths.length === 0) return ok()
  const args = dropPaths
  const removed = await store.run({ ...placeOf(folder), args, stdin: joinNul(paths) }, signal)
  return removed.ok ? ok() : removed
}
