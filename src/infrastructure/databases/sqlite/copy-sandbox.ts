import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { mapped, ok, type Result, refuse } from '../../../domain/failure.ts'
import type { Statement } from '../../../domain/sandbox/database.ts'
import { covers, type RelPath } from '../../../domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  ApplyReport,
  ApplyRequest,
  DriftedPath,
  MergeReport,
  MergeSource,
  Origin,
  ReplayedWork,
  ReplayReport,
  RestorePreview,
  RestoreReport,
  RestoreScope,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import { fsFailure } from '../../files/fs-failure.ts'
import { oneAtATime } from '../../sandboxes/one-at-a-time.ts'
import type { DatabaseSandbox, DatabaseSpec } from '../database-sandbox.ts'
import { driftOf, isInScope, previewOf, reportOf } from '../restore-words.ts'
import { changeSetOf, type ObjectChange, patchOf, pathOf } from '../row-changes.ts'
import { applyCopy, layCopy, mergedState } from './apply-copy.ts'
import { compareFiles } from './compare.ts'
import type { SQLite } from './load.ts'
import { runStatement } from './run-statement.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import { copyLive, isDatabase, type States, statesIn } from './states.ts'

/** A copy of the user's SQLite file, on which tools and commands of the plan work. Its states are whole files. */
export async function openCopy(sqlite: SQLite, spec: DatabaseSpec): Promise<Result<DatabaseSandbox>> {
  const what = `The database ${spec.resource.name}`
  return guarded(what, async () => {
    const known = await readRecord(spec.folder)
    const record = known ? ok(known) : await createCopy(sqlite, spec)
    if (!record.ok) return record
    const before = spec.earlier.map(folder => join(folder, 'states'))
    const states = statesIn(sqlite, join(spec.folder, 'states'), before)
    const workFile = spec.workFile ?? join(spec.folder, 'work', 'database.db')
    const placed = await place(states, spec, workFile, record.value.baseline)
    if (!placed.ok) return placed
    return ok(openedCopy({ sqlite, spec, states, workFile, baseline: record.value.baseline }))
  })
}

/** The plan has ended: its states stay readable. */
export async function releaseCopy(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  await writeFile(join(folder, 'released'), '')
  await rm(join(folder, 'work'), { recursive: true, force: true })
}

const recordSchema = z.object({
  version: z.literal(1),
  location: z.string(),
  // Named by the digest of what it holds.
  baseline: z.string().transform(state => state as SandboxState),
})

async function readRecord(folder: string): Promise<z.output<typeof recordSchema> | null> {
  const text = await readFile(join(folder, 'database.json'), 'utf8').catch(() => null)
  return text === null ? null : recordSchema.parse(JSON.parse(text))
}

/** Built beside its place and moved there whole, so that two who look at one plan do not both make it. */
async function createCopy(
  sqlite: SQLite,
  spec: DatabaseSpec,
): Promise<Result<z.output<typeof recordSchema>>> {
  const { folder, resource } = spec
  const origin = await beginningOf(sqlite, spec)
  if (!origin.ok) return origin
  const fresh = `${folder}.${process.pid}.new`
  await rm(fresh, { recursive: true, force: true })
  try {
    const states = statesIn(sqlite, join(fresh, 'states'))
    await mkdir(join(fresh, 'states'), { recursive: true })
    const copy = states.scratch()
    if (origin.value === null) await copyLive(sqlite, resource.location, copy)
    else await copyFile(origin.value, copy, constants.COPYFILE_FICLONE)
    const baseline = await states.adopt(copy)
    if (!baseline.ok) return baseline
    const record = { version: 1, location: resource.location, baseline: baseline.value } as const
    await writeFile(join(fresh, 'database.json'), JSON.stringify(record), { flush: true })
    await rename(fresh, folder).catch(ignoreThere)
    return ok((await readRecord(folder)) ?? record)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** The file of a state of the parent's; null for the user's own database, with which whoever has no such parent begins. */
async function beginningOf(
  sqlite: SQLite,
  { resource, startsFrom, folderOf }: DatabaseSpec,
): Promise<Result<string | null>> {
  const parent = startsFrom ? await readRecord(folderOf(startsFrom.planId)) : null
  if (startsFrom && parent)
    return statesIn(sqlite, join(folderOf(startsFrom.planId), 'states')).file(
      startsFrom.state ?? parent.baseline,
    )
  const found = await stat(resource.location).catch(() => null)
  if (found?.isFile() && (await isDatabase(resource.location))) return ok(null)
  const message = `The database ${resource.name} is not there: ${resource.location} is no SQLite file.`
  return refuse('not_found', `${message} Register it anew with agents resource add.`)
}

function ignoreThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}

/** Once: whoever finds the mark and no copy has lost it, and only a restore puts it back. */
async function place(
  states: States,
  { folder }: DatabaseSpec,
  workFile: string,
  baseline: SandboxState,
): Promise<Result<void>> {
  if (existsSync(join(folder, 'released'))) return ok()
  const mark = join(folder, 'placed')
  if (existsSync(mark)) return ok()
  await mkdir(dirname(workFile), { recursive: true })
  const put = await states.putBack(baseline, workFile)
  if (put.ok) await writeFile(mark, '')
  return put
}

interface Opened {
  readonly sqlite: SQLite
  readonly spec: DatabaseSpec
  readonly states: States
  readonly workFile: string
  readonly baseline: SandboxState
}

function openedCopy(opened: Opened): DatabaseSandbox {
  const { sqlite, spec, states, workFile, baseline } = opened
  const { name, location } = spec.resource
  const what = `The database ${name}`
  const inTurn = oneAtATime()
  const inOrder = <Value>(work: () => Promise<Result<Value>>) => inTurn(() => guarded(what, work))
  const write = <Value>(work: () => Promise<Result<Value>>) =>
    inOrder(async () => (existsSync(join(spec.folder, 'released')) ? refuseReleased(name) : work()))
  let latest: { readonly state: SandboxState; readonly mark: string } | null = null

  return {
    strategy: 'transaction_rollback',
    root: dirname(workFile),
    enter: async () => ok(null),
    databases: null,
    unrecorded: async () => [],
    baseline,
    startedFrom: null,
    notices: [],
    checkpoint: () => write(record),
    restore: (state, scope) => write(() => restore(state, scope ?? { kind: 'all' })),
    previewRestore: (state, { scope }) =>
      write(async () => mapped(await due(state, scope), found => preview(found, scope))),
    merge: source => write(() => merge(source, 'write')),
    replay: (onto, work) => inOrder(() => replay(onto, work)),
    baselineIn: async planId => (await readRecord(spec.folderOf(planId)))?.baseline ?? null,
    receive: source => inOrder(() => receive(source)),
    checkMerge: source => inOrder(() => merge(source, 'look')),
    // A database is chosen as a whole or not at all.
    choose: async ({ to, choice }) =>
      choice.kind === 'hunks'
        ? refuse('invalid_input', 'Single rows of a database cannot be chosen; choose the whole database.')
        : ok(to),
    drift: (recorded, written) => write(() => drift(recorded, written)),
    // Apply compares rows with the user's database as it is then.
    captureProject: async () => ok(null),
    changes: (from, to) => inOrder(async () => mapped(compare(from, to), found => changeSetOf(name, found))),
    patch: (from, to, only) =>
      inOrder(async () => mapped(compare(from, to), found => patchOf(name, chosenOf(found, only)))),
    check: request =>
      inOrder(() => applyCopy({ sqlite, states, resource: name, location, request, purpose: 'look' })),
    apply: request =>
      write(() => applyCopy({ sqlite, states, resource: name, location, request, purpose: 'write' })),
    // SQLite itself ends or takes back a transaction whose process died.
    unfinishedApply: async () => null,
    settleApply: async () =>
      refuse('invalid_state', `${what} has no interrupted apply, so there is nothing to finish or undo.`),
    query: statement => inOrder(async () => (isGone() ? refuseGone() : run('query', statement))),
    change: statement => write(async () => (isGone() ? refuseGone() : run('change', statement))),
    close: () => inTurn(async () => {}),
  }

  function isGone(): boolean {
    return !existsSync(workFile)
  }

  // Opened all the same, it would pass for a database from which the plan had removed everything.
  function refuseGone(): Result<never> {
    const message = `The plan's copy of the database ${name} is gone. Roll back to a checkpoint, which puts it back.`
    return refuse('sandbox_failed', message, { file: workFile })
  }

  function preview(found: Due, scope: RestoreScope): RestorePreview {
    if (found.from !== null) return previewOf(name, found.changes)
    const isMeant = scope.kind === 'all' || isInScope(scope, name as RelPath)
    const restored = isMeant ? [{ path: name as RelPath, how: 'brought_back' } as const] : []
    return { restored, leftAlone: [], cannotRestore: [] }
  }

  async function record(): Promise<Result<SandboxState>> {
    if (isGone()) return refuseGone()
    const before = await markOf(workFile)
    if (latest?.mark === before) return ok(latest.state)
    const recorded = await states.record(workFile)
    // Where it changed meanwhile, nobody knows which of the two was recorded: the next look reads it again.
    const isQuiet = recorded.ok && (await markOf(workFile)) === before
    latest = isQuiet ? { state: recorded.value, mark: before } : null
    return recorded
  }

  /** What would change on the way to a state, and where the way leads: elsewhere when only some tables go. */
  async function due(state: SandboxState, scope: RestoreScope): Promise<Result<Due>> {
    const wanted = states.file(state)
    if (!wanted.ok) return wanted
    const present = isGone() ? null : await record()
    if (present === null) return ok({ changes: [], isWhole: true, from: null })
    if (!present.ok) return present
    const found = compare(present.value, state)
    if (!found.ok) return found
    const changes = found.value.filter(change => isInScope(scope, pathOf(name, change)))
    return ok({ changes, isWhole: changes.length === found.value.length, from: present.value })
  }

  async function restore(state: SandboxState, scope: RestoreScope): Promise<Result<RestoreReport>> {
    const found = await due(state, scope)
    if (!found.ok) return found
    const target = found.value.isWhole ? ok(state) : await withSome(found.value, state)
    if (!target.ok) return target
    // The same rows may lie in another file; a state that is there already need not be put there.
    const isThere = found.value.from === target.value
    await mkdir(dirname(workFile), { recursive: true })
    const put = isThere ? ok() : await states.putBack(target.value, workFile)
    if (!put.ok) return put
    latest = { state: target.value, mark: await markOf(workFile) }
    return ok(reportOf(name, found.value.changes))
  }

  async function withSome({ from, changes }: Due, state: SandboxState): Promise<Result<SandboxState>> {
    if (from === null || changes.length === 0) return ok(from ?? state)
    if (!changes.every(change => change.hasKeys))
      return refuse(
        'invalid_input',
        `Tables of ${name} that have no keys are only restored together with all others.`,
      )
    return mergedState({ sqlite, states }, { from, to: state }, changes)
  }

  async function drift(recorded: SandboxState, written: readonly RelPath[]): Promise<Result<DriftedPath[]>> {
    const present = isGone() ? null : await record()
    if (present === null) return ok([{ path: name as RelPath, how: 'removed', content: null }])
    if (!present.ok) return present
    const found = compare(recorded, present.value)
    if (!found.ok) return found
    const foreign = found.value.filter(change => !written.some(path => covers(path, pathOf(name, change))))
    return ok(foreign.map(change => driftOf(name, change)))
  }

  /** Another plan's rows come here as the plan's own go home: around what changed here since. */
  async function merge(source: MergeSource, purpose: 'look' | 'write'): Promise<Result<MergeReport>> {
    const theirs = statesIn(sqlite, join(spec.folderOf(source.planId), 'states'))
    const request: ApplyRequest = { from: source.from, to: source.to, choice: { kind: 'all' } }
    const { onConflict = 'refuse' } = source
    const how = { purpose, onConflict, sides: 'both sides' } as const
    const laid = await layCopy({
      sqlite,
      states: theirs,
      resource: name,
      location: workFile,
      request,
      ...how,
    })
    if (!laid.ok) return laid
    const { report, decided } = laid.value
    if (report.outcome !== 'applied') return ok({ outcome: 'constrained', conflicts: conflictsOf(report) })
    const state = await record()
    const { written } = report
    return state.ok ? ok({ outcome: 'merged', written, decided, state: state.value }) : state
  }

  /** A state is named by the digest of its file, so it has the same name wherever it lies. */
  async function receive({ planId, state }: Origin): Promise<Result<SandboxState>> {
    if (states.file(state).ok) return ok(state)
    const source = statesIn(sqlite, join(spec.folderOf(planId), 'states')).file(state)
    if (!source.ok) return source
    const copy = states.scratch()
    try {
      await copyFile(source.value, copy, constants.COPYFILE_FICLONE)
      return await states.adopt(copy)
    } finally {
      await rm(copy, { force: true })
    }
  }

  /** On a copy of the state, as if that were the user's database at Apply. */
  async function replay(onto: SandboxState, { from, to }: ReplayedWork): Promise<Result<ReplayReport>> {
    if (onto === from) return ok({ outcome: 'merged', state: to })
    if (from === to) return ok({ outcome: 'merged', state: onto })
    const source = states.file(onto)
    if (!source.ok) return source
    const location = states.scratch()
    try {
      await copyFile(source.value, location, constants.COPYFILE_FICLONE)
      const request: ApplyRequest = { from, to, choice: { kind: 'all' } }
      const how = { purpose: 'write', sides: 'both sides' } as const
      const laid = await applyCopy({ sqlite, states, resource: name, location, request, ...how })
      if (!laid.ok) return laid
      if (laid.value.outcome !== 'applied')
        return ok({ outcome: 'constrained', conflicts: conflictsOf(laid.value) })
      const state = laid.value.written.length === 0 ? ok(onto) : await states.record(location)
      return state.ok ? ok({ outcome: 'merged', state: state.value }) : state
    } finally {
      for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${location}${suffix}`, { force: true })
    }
  }

  function compare(from: SandboxState, to: SandboxState): Result<ObjectChange[]> {
    if (from === to) return ok([])
    const before = states.fileToCompare(from)
    if (!before.ok) return before
    const after = states.fileToCompare(to)
    return after.ok ? ok(compareFiles(sqlite, before.value, after.value)) : after
  }

  function run(access: 'query' | 'change', statement: Statement) {
    const db = new sqlite.DatabaseSync(workFile, { timeout: 5_000 })
    try {
      return runStatement(sqlite, db, { resource: name, access }, statement)
    } finally {
      db.close()
    }
  }

  function chosenOf(found: readonly ObjectChange[], only: readonly RelPath[] | undefined) {
    return only === undefined ? found : found.filter(change => only.includes(pathOf(name, change)))
  }
}

function conflictsOf(report: ApplyReport): readonly ApplyConflict[] {
  return report.outcome === 'constrained' ? report.conflicts : []
}

/** Whatever writes a file changes one of these; what waits in its log counts as well. */
async function markOf(file: string): Promise<string> {
  const marks = [file, `${file}-wal`].map(async path => {
    const found = await stat(path, { bigint: true }).catch(() => null)
    if (found === null || (path !== file && found.size === 0n)) return '-'
    return `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
  })
  return (await Promise.all(marks)).join(' ')
}

interface Due {
  readonly changes: readonly ObjectChange[]
  readonly isWhole: boolean
  /** Null when the copy is gone. */
  readonly from: SandboxState | null
}

async function guarded<Value>(what: string, work: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await work()
  } catch (error) {
    const failure = sqliteFailure(error, what) ?? fsFailure(error)
    if (failure === null) throw error
    return { ok: false, failure }
  }
}

function refuseReleased(name: string) {
  return refuse('invalid_state', `The plan has ended and its copy of the database ${name} was removed.`)
}
