import { ok, type Result } from '../../../domain/failure.ts'
import type { ResourceId } from '../../../domain/ids.ts'
import { decodeGroupState, encodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type {
  ApplyConflict,
  Origin,
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

/** What a state does not mention is as it was when its own plan began, which is another beginning than here. */
export async function receiveInGroup(
  { folder, parts }: Group,
  { planId, state }: Origin,
): Promise<Result<SandboxState>> {
  const there = decodeGroupState(state)
  const files = await folder.receive({ planId, state: there.folder })
  if (!files.ok) return files
  const databases = new Map<ResourceId, SandboxState>()
  for (const { strategy, open } of parts) {
    const { resourceId } = strategy.resource
    if (!strategy.isUsed(planId)) continue
    const sandbox = await open()
    if (!sandbox.ok) return sandbox
    const { baseline, baselineIn, receive } = sandbox.value
    const known = there.databases.get(resourceId) ?? (await baselineIn(planId)) ?? baseline
    const received = known === baseline ? ok(known) : await receive({ planId, state: known })
    if (!received.ok) return received
    if (received.value !== baseline) databases.set(resourceId, received.value)
  }
  const hasFiles = files.value !== folder.baseline
  return ok(encodeGroupState({ folder: files.value, hasFiles, databases }))
}
