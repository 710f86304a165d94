import { ok, type Result, refuse } from '../../../domain/failure.ts'
import { decodeGroupState } from '../../../domain/sandbox/group-state.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  ApplyReport,
  ApplyWatch,
  Sandbox,
  UnfinishedApply,
} from '../../../domain/sandbox/strategy.ts'
import { carryOn, type Progress } from './apply.ts'
import type { Group } from './part.ts'
import { type GroupRecord, isBegun, type KeptRecord, keepRecord, readGroupRecord } from './record.ts'
import { type DatabaseRequest, partsOfRequest } from './request.ts'

/** What the record says that was begun, compared with the files and databases as they are. */
export async function unfinishedGroup(group: Group): Promise<UnfinishedApply | null> {
  const files = await group.folder.unfinishedApply()
  const record = await readGroupRecord(group.recordFile)
  if (record === null) return files
  if (files === null && !isBegun(record)) return null
  const { written, waiting } = filesOf(record, files)
  const asked = await partsOfRequest(group, record.request)
  for (const { sandbox, request } of asked.ok ? asked.value.databases : []) {
    const found = await sandbox.check(request)
    if (!found.ok || found.value.outcome !== 'applied') continue
    written.push(...found.value.unchanged)
    waiting.push(...found.value.written)
  }
  const undoing = record.undoing !== null || (files?.undoing ?? false)
  return { startedAt: record.startedAt, written, waiting, undoing }
}

/** An apply in the other direction counts what it has put back as written. */
function filesOf(
  { files, undoing }: GroupRecord,
  cut: UnfinishedApply | null,
): { written: RelPath[]; waiting: RelPath[] } {
  if (cut === null) return { written: [...(files?.written ?? [])], waiting: [] }
  return undoing === 'by_apply'
    ? { written: [...cut.waiting], waiting: [...cut.written] }
    : { written: [...cut.written], waiting: [...cut.waiting] }
}

export async function settleGroup(
  group: Group,
  way: 'finish' | 'undo',
  signal: AbortSignal,
  watch: ApplyWatch = {},
): Promise<Result<ApplyReport>> {
  const found = await readGroupRecord(group.recordFile)
  if (found === null) return group.folder.settleApply(way, signal, watch)
  if (way === 'finish' && found.undoing !== null) return refuseUndoing()
  const asked = await partsOfRequest(group, found.request)
  if (!asked.ok) return asked
  const record = keepRecord(group.recordFile, found, watch)
  return way === 'finish'
    ? carryOn(group, record, asked.value, { signal, watch })
    : takeBack(group, record, asked.value.databases, { signal, watch })
}

/** Only what this apply wrote is taken back, and around what the user did since. */
async function takeBack(
  group: Group,
  record: KeptRecord,
  databases: readonly DatabaseRequest[],
  how: Progress,
): Promise<Result<ApplyReport>> {
  if (record.now.undoing === null) await record.change({ undoing: await wayBack(group, record.now) })
  const restored: RelPath[] = []
  const left: ApplyConflict[] = []
  for (const { resourceId, sandbox, request: forth } of databases) {
    const to = record.now.undoTo[resourceId]
    if (to === undefined) continue
    const back = { from: forth.to, to, choice: forth.choice }
    const taken = await sandbox.apply(back, how.signal)
    if (!taken.ok) return taken
    how.watch.onStep?.({ did: 'commit', done: 0, total: databases.length })
    if (taken.value.outcome === 'applied') restored.push(...taken.value.written)
    if (taken.value.outcome === 'applied') left.push(...taken.value.left)
    if (taken.value.outcome === 'constrained') left.push(...taken.value.conflicts)
  }
  const files = await takeBackFiles(group, record.now, how)
  if (!files.ok) return files
  await record.end()
  return ok({
    outcome: 'undone',
    restored: [...files.value.restored, ...restored],
    left: [...files.value.left, ...left],
  })
}

async function wayBack({ folder }: Group, { files }: GroupRecord): Promise<GroupRecord['undoing']> {
  return files === null || (await folder.unfinishedApply()) !== null ? 'by_journal' : 'by_apply'
}

type Undone = Pick<Extract<ApplyReport, { outcome: 'undone' }>, 'restored' | 'left'>

async function takeBackFiles(
  { folder }: Group,
  record: GroupRecord,
  { signal, watch }: Progress,
): Promise<Result<Undone>> {
  const isCut = (await folder.unfinishedApply()) !== null
  if (record.undoing === 'by_journal')
    return isCut ? asUndone(await folder.settleApply('undo', signal, watch)) : ok(nothing)
  // It is this very undo that was cut.
  if (isCut) return asUndone(await folder.settleApply('finish', signal, watch))
  return layBack(folder, record, { signal, watch })
}

/** What the user changed since is theirs; the rest goes back all the same. */
async function layBack(
  folder: Sandbox,
  { request, files }: GroupRecord,
  { signal, watch }: Progress,
): Promise<Result<Undone>> {
  const left: ApplyConflict[] = []
  const to = decodeGroupState(request.from).folder
  let only = files?.written ?? []
  while (files !== null && only.length > 0) {
    const back = await folder.apply({ from: files.state, to, choice: { kind: 'paths', only } }, signal, watch)
    if (!back.ok || back.value.outcome !== 'constrained') return asUndone(back, left)
    const { conflicts } = back.value
    const theirs = new Set(conflicts.map(({ path }) => path))
    const rest = only.filter(path => !theirs.has(path))
    if (rest.length === only.length) return refuseConflicts(conflicts)
    left.push(...conflicts)
    only = rest
  }
  return ok({ restored: [], left })
}

const nothing: Undone = { restored: [], left: [] }

function asUndone(report: Result<ApplyReport>, left: readonly ApplyConflict[] = []): Result<Undone> {
  if (!report.ok) return report
  const { value } = report
  if (value.outcome === 'constrained') return refuseConflicts(value.conflicts)
  const restored = value.outcome === 'applied' ? value.written : value.restored
  return ok({ restored, left: [...left, ...value.left] })
}

function refuseConflicts(conflicts: readonly ApplyConflict[]) {
  const reasons = conflicts.map(({ reason }) => reason).join(' ')
  return refuse('conflict', `The files were not put back; nothing in them was changed. ${reasons}`, {
    conflicts,
  })
}

function refuseUndoing() {
  return refuse(
    'invalid_state',
    'The apply is being put back already. Go on with the undo, then apply again.',
  )
}
