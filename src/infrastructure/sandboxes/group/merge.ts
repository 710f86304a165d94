import { ok, type Result } from '../../../domain/failure.ts'
import { decodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type {
  ApplyConflict,
  MergeReport,
  MergeSource,
  Sandbox,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
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
  const inRows: ApplyConflict[] = []
  for (const { sandbox, range } of ranges) {
    if (!sandbox.ok) return sandbox
    const found = await sandbox.value.checkMerge({ ...source, ...range })
    if (!found.ok) return found
    if (found.value.outcome === 'constrained') inRows.push(...found.value.conflicts)
  }
  const from = decodeGroupState(source.from).folder
  const to = decodeGroupState(source.to).folder
  const before = await folder.checkpoint('before a merge', 'unknown')
  if (!before.ok) return before
  if (inRows.length > 0) {
    const inFiles = await conflictsInFiles(folder, before.value, { ...source, from, to })
    return inFiles.ok ? ok({ outcome: 'constrained', conflicts: [...inFiles.value, ...inRows] }) : inFiles
  }
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

/** What the files would say against it, for who has to decide about all of it at once. Nothing is written in them. */
async function conflictsInFiles(
  folder: Sandbox,
  present: SandboxState,
  { planId, from, to, onConflict = 'refuse' }: MergeSource,
): Promise<Result<readonly ApplyConflict[]>> {
  if (onConflict !== 'refuse') return ok([])
  const base = await folder.receive({ planId, state: from })
  if (!base.ok) return base
  const theirs = await folder.receive({ planId, state: to })
  if (!theirs.ok) return theirs
  const report = await folder.replay(present, { from: base.value, to: theirs.value })
  if (!report.ok) return report
  return ok(report.value.outcome === 'constrained' ? report.value.conflicts : [])
}
