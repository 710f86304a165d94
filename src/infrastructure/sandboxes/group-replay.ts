import { ok, type Result } from '../../domain/failure.ts'
import { decodeGroupState, encodeGroupState } from '../../domain/sandbox/group-state.ts'
import type {
  ApplyConflict,
  ReplayedWork,
  ReplayReport,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import type { Group } from './group-apply.ts'

/** What changed in the folder and in each database, laid on another state of them: all of it or nothing. */
export async function replayInGroup(
  { folder, parts }: Group,
  onto: SandboxState,
  work: ReplayedWork,
): Promise<Result<ReplayReport>> {
  const [present, from, to] = [decodeGroupState(onto), decodeGroupState(work.from), decodeGroupState(work.to)]
  const conflicts: ApplyConflict[] = []
  const files = await folder.replay(present.folder, { from: from.folder, to: to.folder })
  if (!files.ok) return files
  if (files.value.outcome === 'constrained') conflicts.push(...files.value.conflicts)
  const databases = new Map(present.databases)
  for (const { strategy, open } of parts) {
    const { resourceId } = strategy.resource
    const [old, fresh] = [from.databases.get(resourceId), to.databases.get(resourceId)]
    // One that the work did not change need not even be opened.
    if (old === fresh) continue
    const sandbox = await open()
    if (!sandbox.ok) return sandbox
    const { baseline, replay } = sandbox.value
    const range = { from: old ?? baseline, to: fresh ?? baseline }
    const rows = await replay(databases.get(resourceId) ?? baseline, range)
    if (!rows.ok) return rows
    if (rows.value.outcome === 'constrained') conflicts.push(...rows.value.conflicts)
    else if (rows.value.state === baseline) databases.delete(resourceId)
    else databases.set(resourceId, rows.value.state)
  }
  if (files.value.outcome === 'constrained' || conflicts.length > 0)
    return ok({ outcome: 'constrained', conflicts })
  const { state } = files.value
  const hasFiles = state !== folder.baseline
  return ok({ outcome: 'merged', state: encodeGroupState({ folder: state, hasFiles, databases }) })
}
