import { ok, type Result } from '../../../domain/failure.ts'
import { decodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type { MergeReport, MergeSource, Sandbox } from '../../../domain/sandbox/strategy.ts'
import type { Group } from './part.ts'
import { putBack, type Undo } from './put-back.ts'
import { between } from './states.ts'

/** All or nothing: the databases are looked at first and laid last; the folder says no by itself. */
export async function mergeIntoGroup(
  group: Group,
  checkpoint: Sandbox['checkpoint'],
  source: MergeSource,
  signal: AbortSignal,
): Promise<Result<MergeReport>> {
  const { folder } = group
  const ranges = await between(group, source.from, source.to, source.planId)
  for (const { sandbox, range } of ranges) {
    if (!sandbox.ok) return sandbox
    const found = await sandbox.value.checkMerge({ ...source, ...range })
    if (!found.ok || found.value.outcome === 'constrained') return found
  }
  const from = decodeGroupState(source.from).folder
  const to = decodeGroupState(source.to).folder
  const before = await folder.checkpoint('before a merge', 'unknown')
  if (!before.ok) return before
  const files = await folder.merge({ ...source, from, to }, signal)
  if (!files.ok || files.value.outcome === 'constrained') return files
  const written = [...files.value.written]
  const decided = [...files.value.decided]
  const undo: Undo[] = [() => folder.restore(before.value)]
  for (const { sandbox, range } of ranges) {
    if (!sandbox.ok) return putBack(undo, sandbox)
    const was = await sandbox.value.checkpoint('before a merge', 'unknown')
    if (!was.ok) return putBack(undo, was)
    const merged = await sandbox.value.merge({ ...source, ...range }, signal)
    if (!merged.ok || merged.value.outcome === 'constrained') return putBack(undo, merged)
    undo.push(() => sandbox.value.restore(was.value))
    written.push(...merged.value.written)
    decided.push(...merged.value.decided)
  }
  const state = await checkpoint('merged', [])
  return state.ok ? ok({ outcome: 'merged', written, decided, state: state.value }) : state
}
