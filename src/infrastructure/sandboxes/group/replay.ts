import { ok, type Result } from '../../../domain/failure.ts'
import { decodeGroupState, encodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type {
  ApplyConflict,
  ReplayedWork,
  ReplayReport,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import type { Group } from './part.ts'
import { differing } from './request.ts'

/** What changed in the folder and in each database, laid on another state of them: all of it or nothing. */
export async function replayInGroup(
  group: Group,
  onto: SandboxState,
  work: ReplayedWork,
): Promise<Result<ReplayReport>> {
  const { folder } = group
  const [present, from, to] = [decodeGroupState(onto), decodeGroupState(work.from), decodeGroupState(work.to)]
  const conflicts: ApplyConflict[] = []
  const files = await folder.replay(present.folder, { from: from.folder, to: to.folder })
  if (!files.ok) return files
  if (files.value.outcome === 'constrained') conflicts.push(...files.value.conflicts)
  const databases = new Map(present.databases)
  for (const { part, ...states } of differing(group, work)) {
    const { resourceId } = part.strategy.resource
    const sandbox = await part.open()
    if (!sandbox.ok) return sandbox
    const { baseline, replay } = sandbox.value
    const range = { from: states.from ?? baseline, to: states.to ?? baseline }
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
