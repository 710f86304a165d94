import { type Failure, ok, type Result, refuse } from '../../../domain/failure.ts'
import { decodeGroupState, encodeGroupState, type GroupState } from '../../../domain/sandbox/group-state.ts'
import type {
  AppliedReport,
  ApplyConflict,
  ApplyReport,
  ApplyRequest,
  ApplyWatch,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import type { Group } from './part.ts'
import { isBegun, type KeptRecord, keepRecord, readGroupRecord } from './record.ts'
import { type DatabaseRequest, type FileRequest, type GroupRequest, partsOfRequest } from './request.ts'

/**
 * Every database is looked at before anything is written, then the files are applied, then the databases, each of them
 * in a transaction of its own. What is about to be done is noted before it is, so that a cut between any two of them can
 * be settled either way (`settle.ts`).
 */
export async function applyGroup(
  group: Group,
  request: ApplyRequest,
  signal: AbortSignal,
  watch: ApplyWatch = {},
): Promise<Result<ApplyReport>> {
  const earlier = await readGroupRecord(group.recordFile)
  const isCut = (earlier && isBegun(earlier)) || (await group.folder.unfinishedApply()) !== null
  if (isCut) return refuseCut()
  const asked = await partsOfRequest(group, request)
  if (!asked.ok) return asked
  const { files, databases } = asked.value
  const conflicts = await lookAtAll(databases)
  if (!conflicts.ok) return conflicts
  if (conflicts.value.length > 0) return ok({ outcome: 'constrained', conflicts: conflicts.value })
  if (databases.length === 0) {
    const alone = await applyFiles(group, request, files, { signal, watch })
    return alone.ok && alone.value.outcome === 'applied'
      ? ok(joined(group, request, { files: alone.value, databases, reports: [] }))
      : alone
  }
  const startedAt = new Date().toISOString()
  const intent = { startedAt, request, files: null, undoTo: {}, undoing: null } as const
  const record = keepRecord(group.recordFile, intent, watch)
  await record.change({})
  return carryOn(group, record, asked.value, { signal, watch })
}

export interface Progress {
  readonly signal: AbortSignal
  readonly watch: ApplyWatch
}

/** Does what the record does not have yet. */
export async function carryOn(
  group: Group,
  record: KeptRecord,
  { files, databases }: GroupRequest,
  { signal, watch }: Progress,
): Promise<Result<ApplyReport>> {
  const { request } = record.now
  const written = await writeFiles(group, record, files, { signal, watch })
  if (!written.ok || written.value.outcome !== 'applied') {
    // Refused before the first file was written, there is nothing to settle.
    if (!isBegun(record.now) && (await group.folder.unfinishedApply()) === null) await record.end()
    return written
  }
  const reports: AppliedReport[] = []
  for (const each of databases) {
    const note = (undoTo: SandboxState) =>
      record.change({ undoTo: { ...record.now.undoTo, [each.resourceId]: undoTo } })
    const applied = await each.sandbox.apply({ ...each.request, note }, signal)
    if (!applied.ok) return cutShort(each, applied.failure, written.value)
    watch.onStep?.({ did: 'commit', done: reports.length + 1, total: databases.length })
    reports.push(asLeft(each, applied.value))
  }
  await record.end()
  return ok(joined(group, request, { files: written.value, databases, reports }))
}

/** The note is made while the files can still be taken back by their own journal: in between there is no moment. */
async function writeFiles(
  group: Group,
  record: KeptRecord,
  files: FileRequest,
  { signal, watch }: Progress,
): Promise<Result<ApplyReport>> {
  const noting = { ...watch, onWritten: (report: AppliedReport) => record.change({ files: report }) }
  const isCut = (await group.folder.unfinishedApply()) !== null
  if (isCut) return group.folder.settleApply('finish', signal, noting)
  if (record.now.files !== null) return ok(record.now.files)
  const applied = await applyFiles(group, record.now.request, files, { signal, watch: noting })
  // Noted, and taken back all the same, because its end could not be written.
  if (!applied.ok && record.now.files !== null) await record.change({ files: null })
  if (applied.ok && applied.value.outcome === 'applied' && record.now.files === null)
    await record.change({ files: applied.value })
  return applied
}

async function applyFiles(
  { folder }: Group,
  { from }: ApplyRequest,
  files: FileRequest,
  { signal, watch }: Progress,
): Promise<Result<ApplyReport>> {
  return files === null ? ok(untouched(decodeGroupState(from).folder)) : folder.apply(files, signal, watch)
}

function untouched(state: SandboxState): AppliedReport {
  return { outcome: 'applied', written: [], unchanged: [], left: [], notices: [], state }
}

async function lookAtAll(databases: readonly DatabaseRequest[]): Promise<Result<ApplyConflict[]>> {
  const conflicts: ApplyConflict[] = []
  for (const { sandbox, request } of databases) {
    const found = await sandbox.check(request)
    if (!found.ok) return found
    if (found.value.outcome === 'constrained') conflicts.push(...found.value.conflicts)
  }
  return ok(conflicts)
}

/** Somebody changed the database between the look and the writing: it stays in the remaining diff. */
function asLeft({ request }: DatabaseRequest, report: ApplyReport): AppliedReport {
  if (report.outcome === 'applied') return report
  const left = report.outcome === 'constrained' ? report.conflicts : []
  return { ...untouched(request.from), left }
}

function refuseCut() {
  return refuse(
    'invalid_state',
    'An earlier apply of this plan was interrupted half-way. Finish it or undo it before you apply again.',
  )
}

function cutShort({ name }: DatabaseRequest, failure: Failure, files: AppliedReport): Result<never> {
  const done =
    files.written.length > 0 ? 'Your files have the changes of the plan, the database has not.' : ''
  const message = `The database ${name} was not changed: ${failure.message} ${done} Apply again to finish, or to undo it.`
  return refuse(failure.code, message.replace(/ {2,}/g, ' '), { database: name, written: files.written })
}

interface Done {
  readonly files: AppliedReport
  readonly databases: readonly DatabaseRequest[]
  /** One for each of them, in their order. */
  readonly reports: readonly AppliedReport[]
}

function joined({ folder }: Group, request: ApplyRequest, done: Done): AppliedReport {
  const databases = new Map(decodeGroupState(request.from).databases)
  done.databases.forEach(({ resourceId, sandbox }, index) => {
    const state = done.reports[index]?.state
    if (state === sandbox.baseline) databases.delete(resourceId)
    else if (state) databases.set(resourceId, state)
  })
  const state: GroupState = {
    folder: done.files.state,
    hasFiles: done.files.state !== folder.baseline,
    databases,
  }
  const all = [done.files, ...done.reports]
  return {
    outcome: 'applied',
    written: all.flatMap(each => each.written),
    unchanged: all.flatMap(each => each.unchanged),
    left: all.flatMap(each => each.left),
    notices: all.flatMap(each => each.notices),
    state: encodeGroupState(state),
  }
}
