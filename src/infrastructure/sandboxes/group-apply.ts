import { type Failure, ok, type Result, refuse } from '../../domain/failure.ts'
import type { ResourceId } from '../../domain/ids.ts'
import { decodeGroupState, encodeGroupState, type GroupState } from '../../domain/sandbox/group-state.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyChoice,
  ApplyConflict,
  ApplyReport,
  ApplyRequest,
  OnApplyStep,
  Sandbox,
  SandboxState,
  UnfinishedApply,
} from '../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../databases/database-sandbox.ts'
import { covers } from '../databases/restore-words.ts'
import { type GroupPart, ofFolder } from './group-part.ts'
import { type GroupRecord, readGroupRecord, removeGroupRecord, writeGroupRecord } from './group-record.ts'

export interface Group {
  readonly folder: Sandbox
  readonly parts: readonly GroupPart[]
  /** Where an apply is written down while it runs. */
  readonly recordFile: string
}

type Applied = Extract<ApplyReport, { outcome: 'applied' }>

/**
 * Every database is looked at before anything is written, then the files are applied, then the databases. Each of them
 * leaves alone what is there already, so that an apply that was cut short is finished by doing it again.
 */
export async function applyGroup(
  group: Group,
  request: ApplyRequest,
  signal: AbortSignal,
  onStep?: OnApplyStep,
): Promise<Result<ApplyReport>> {
  const works = await databaseWorks(group, request)
  if (!works.ok) return works
  const conflicts = await lookAtAll(works.value)
  if (!conflicts.ok) return conflicts
  if (conflicts.value.length > 0) return ok({ outcome: 'constrained', conflicts: conflicts.value })
  const record: GroupRecord = { startedAt: new Date().toISOString(), request, files: null, undoTo: {} }
  if (works.value.length > 0) await writeGroupRecord(group.recordFile, record)
  const files = await applyFiles(group, request, works.value, { signal, onStep })
  if (!files.ok || files.value.outcome !== 'applied') {
    // Refused before the first file was written, there is nothing to settle.
    const isCut = !files.ok && (await group.folder.unfinishedApply()) !== null
    if (!isCut) await removeGroupRecord(group.recordFile)
    return files
  }
  return applyDatabases(group, record, { files: files.value, works: works.value }, signal)
}

async function applyDatabases(
  group: Group,
  record: GroupRecord,
  { files, works }: { readonly files: Applied; readonly works: readonly DatabaseWork[] },
  signal: AbortSignal,
): Promise<Result<ApplyReport>> {
  const reports: Applied[] = []
  const written = [...new Set([...(record.files?.written ?? []), ...files.written])]
  let known: GroupRecord = { ...record, files: { written, state: files.state } }
  if (works.length > 0) await writeGroupRecord(group.recordFile, known)
  for (const work of works) {
    const note = async (undoTo: SandboxState) => {
      known = { ...known, undoTo: { ...known.undoTo, [work.resourceId]: undoTo } }
      await writeGroupRecord(group.recordFile, known)
    }
    const applied = await work.sandbox.apply({ ...work.request, note }, signal)
    if (!applied.ok) return cutShort(work, applied.failure, files)
    reports.push(asLeft(work, applied.value))
  }
  await removeGroupRecord(group.recordFile)
  return ok(merged(group, record.request, { files, works, reports }))
}

/** Somebody changed the database between the look and the writing: it stays in the remaining diff. */
function asLeft({ request }: DatabaseWork, report: ApplyReport): Applied {
  if (report.outcome === 'applied') return report
  const left = report.outcome === 'constrained' ? report.conflicts : []
  return { outcome: 'applied', written: [], unchanged: [], left, notices: [], state: request.from }
}

export async function unfinishedGroup(group: Group): Promise<UnfinishedApply | null> {
  const files = await group.folder.unfinishedApply()
  const record = await readGroupRecord(group.recordFile)
  if (record === null) return files
  const works = await databaseWorks(group, record.request)
  const written = [...(files?.written ?? [])]
  const waiting = [...(files?.waiting ?? [])]
  for (const { sandbox, request } of works.ok ? works.value : []) {
    const found = await sandbox.check(request)
    if (!found.ok || found.value.outcome !== 'applied') continue
    written.push(...found.value.unchanged)
    waiting.push(...found.value.written)
  }
  return { startedAt: record.startedAt, written, waiting, undoing: files?.undoing ?? false }
}

export async function settleGroup(
  group: Group,
  way: 'finish' | 'undo',
  signal: AbortSignal,
  onStep?: OnApplyStep,
): Promise<Result<ApplyReport>> {
  const record = await readGroupRecord(group.recordFile)
  if (record === null) return group.folder.settleApply(way, signal, onStep)
  const works = await databaseWorks(group, record.request)
  if (!works.ok) return works
  const isCut = (await group.folder.unfinishedApply()) !== null
  if (way === 'undo') return undoGroup(group, record, { works: works.value, isCut }, { signal, onStep })
  const files = isCut
    ? await group.folder.settleApply('finish', signal, onStep)
    : await applyFiles(group, record.request, works.value, { signal, onStep })
  if (!files.ok || files.value.outcome !== 'applied') return files
  return applyDatabases(group, record, { files: files.value, works: works.value }, signal)
}

/** Only what this apply wrote is taken back, and around what the user did since. */
async function undoGroup(
  group: Group,
  { request, files: done, undoTo }: GroupRecord,
  { works, isCut }: { readonly works: readonly DatabaseWork[]; readonly isCut: boolean },
  how: Progress,
): Promise<Result<ApplyReport>> {
  const restored: RelPath[] = []
  const left: ApplyConflict[] = []
  for (const { resourceId, sandbox, request: forth } of works) {
    const to = undoTo[resourceId]
    if (to === undefined) continue
    const back = { from: forth.to, to, choice: forth.choice }
    const taken = await sandbox.apply(back, how.signal)
    if (!taken.ok) return taken
    if (taken.value.outcome === 'applied') restored.push(...taken.value.written)
    if (taken.value.outcome === 'applied') left.push(...taken.value.left)
    if (taken.value.outcome === 'constrained') left.push(...taken.value.conflicts)
  }
  const files = isCut
    ? await group.folder.settleApply('undo', how.signal, how.onStep)
    : await takeBackFiles(group, request, done, how)
  if (!files.ok || files.value.outcome === 'constrained') return files
  await removeGroupRecord(group.recordFile)
  const paths = files.value.outcome === 'applied' ? files.value.written : files.value.restored
  return ok({ outcome: 'undone', restored: [...paths, ...restored], left: [...files.value.left, ...left] })
}

function takeBackFiles(
  { folder }: Group,
  request: ApplyRequest,
  done: GroupRecord['files'],
  { signal, onStep }: Progress,
): Promise<Result<ApplyReport>> {
  const to = decodeGroupState(request.from).folder
  if (done === null || done.written.length === 0) return Promise.resolve(ok(untouched(to)))
  const choice: ApplyChoice = { kind: 'paths', only: done.written }
  return folder.apply({ from: done.state, to, choice }, signal, onStep)
}

interface Progress {
  readonly signal: AbortSignal
  readonly onStep: OnApplyStep | undefined
}

interface DatabaseWork {
  readonly resourceId: ResourceId
  readonly name: string
  readonly sandbox: DatabaseSandbox
  readonly request: ApplyRequest
  /** Sections of the chosen patch that are about this database. */
  readonly sections: ReadonlySet<string>
}

async function databaseWorks(group: Group, request: ApplyRequest): Promise<Result<DatabaseWork[]>> {
  const from = decodeGroupState(request.from)
  const to = decodeGroupState(request.to)
  const works: DatabaseWork[] = []
  for (const part of group.parts) {
    const { resourceId, name } = part.strategy.resource
    const states = { from: from.databases.get(resourceId), to: to.databases.get(resourceId) }
    if (states.from === states.to) continue
    const sandbox = await part.open()
    if (!sandbox.ok) return sandbox
    const range = { from: states.from ?? sandbox.value.baseline, to: states.to ?? sandbox.value.baseline }
    const chosen = await choiceFor(sandbox.value, name, range, request.choice)
    if (!chosen.ok) return chosen
    const { choice, sections } = chosen.value
    works.push({ resourceId, name, sandbox: sandbox.value, request: { ...range, choice }, sections })
  }
  return ok(works)
}

/** A table is one hunk of the patch, so whoever chooses hunks chooses tables. */
async function choiceFor(
  sandbox: DatabaseSandbox,
  name: string,
  range: { readonly from: SandboxState; readonly to: SandboxState },
  choice: ApplyChoice,
): Promise<Result<{ choice: ApplyChoice; sections: ReadonlySet<string> }>> {
  if (choice.kind === 'all') return ok({ choice, sections: new Set() })
  if (choice.kind === 'paths') {
    const only = choice.only.filter(path => covers(name as RelPath, path))
    return ok({ choice: { kind: 'paths', only }, sections: new Set() })
  }
  const found = await sandbox.changes(range.from, range.to)
  if (!found.ok) return found
  const headings = new Set(sectionsOf(choice.patch).map(headingOf))
  const chosen = found.value.files.filter(({ path }) => headings.has(headingFor(path)))
  const sections = new Set(chosen.map(({ path }) => headingFor(path)))
  return ok({ choice: { kind: 'paths', only: chosen.map(({ path }) => path) }, sections })
}

function headingFor(path: RelPath): string {
  return `diff --git a/${path} b/${path}`
}

/** One a file. Bytes are kept as they are: latin1 maps each to one character. */
function sectionsOf(patch: Uint8Array): string[] {
  const text = Buffer.from(patch).toString('latin1')
  return text.split(/^(?=diff --git )/m).filter(section => section !== '')
}

function headingOf(section: string): string {
  return Buffer.from(section.slice(0, section.indexOf('\n')), 'latin1').toString()
}

async function lookAtAll(works: readonly DatabaseWork[]): Promise<Result<ApplyConflict[]>> {
  const conflicts: ApplyConflict[] = []
  for (const { sandbox, request } of works) {
    const found = await sandbox.check(request)
    if (!found.ok) return found
    if (found.value.outcome === 'constrained') conflicts.push(...found.value.conflicts)
  }
  return ok(conflicts)
}

async function applyFiles(
  { folder, parts }: Group,
  request: ApplyRequest,
  works: readonly DatabaseWork[],
  { signal, onStep }: Progress,
): Promise<Result<ApplyReport>> {
  const from = decodeGroupState(request.from).folder
  const to = decodeGroupState(request.to).folder
  const choice = fileChoice({ folder, parts }, request.choice, works)
  if (choice === null || from === to) return ok(untouched(from))
  return folder.apply({ from, to, choice }, signal, onStep)
}

function untouched(state: SandboxState): Applied {
  return { outcome: 'applied', written: [], unchanged: [], left: [], notices: [], state }
}

/** What is chosen as a state of its own. A database of which anything is chosen is in it as a whole. */
export async function chooseInGroup(group: Group, request: ApplyRequest): Promise<Result<SandboxState>> {
  const works = await databaseWorks(group, request)
  if (!works.ok) return works
  const from = decodeGroupState(request.from)
  const to = decodeGroupState(request.to)
  const choice = fileChoice(group, request.choice, works.value)
  const files =
    choice === null || from.folder === to.folder
      ? ok(from.folder)
      : await group.folder.choose({ from: from.folder, to: to.folder, choice })
  if (!files.ok) return files
  const databases = new Map(from.databases)
  for (const { resourceId, request: part } of works.value)
    if (part.choice.kind !== 'paths' || part.choice.only.length > 0) databases.set(resourceId, part.to)
  const hasFiles = from.hasFiles || (choice !== null && to.hasFiles)
  return ok(encodeGroupState({ folder: files.value, hasFiles, databases }))
}

/** Null when no file was chosen. */
function fileChoice(
  { folder, parts }: Pick<Group, 'folder' | 'parts'>,
  choice: ApplyChoice,
  works: readonly DatabaseWork[],
): ApplyChoice | null {
  if (choice.kind === 'all') return choice
  if (choice.kind === 'paths') {
    const only = ofFolder(folder, parts, choice.only)
    return only.length === 0 ? null : { kind: 'paths', only }
  }
  const ofDatabases = new Set(works.flatMap(work => [...work.sections]))
  const left = sectionsOf(choice.patch).filter(section => !ofDatabases.has(headingOf(section)))
  return left.length === 0 ? null : { kind: 'hunks', patch: Buffer.from(left.join(''), 'latin1') }
}

function cutShort({ name }: DatabaseWork, failure: Failure, files: Applied): Result<never> {
  const done =
    files.written.length > 0 ? 'Your files have the changes of the plan, the database has not.' : ''
  const message = `The database ${name} was not changed: ${failure.message} ${done} Apply again to finish.`
  return refuse(failure.code, message.replace(/ {2,}/g, ' '), { database: name, written: files.written })
}

function merged(
  { folder }: Group,
  request: ApplyRequest,
  done: {
    readonly files: Applied
    readonly works: readonly DatabaseWork[]
    readonly reports: readonly Applied[]
  },
): Applied {
  const databases = new Map(decodeGroupState(request.from).databases)
  done.works.forEach(({ resourceId, sandbox }, index) => {
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
