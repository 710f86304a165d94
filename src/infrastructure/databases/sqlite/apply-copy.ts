import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  ApplyReport,
  ApplyRequest,
  OnConflict,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import type { DatabaseApply } from '../database-sandbox.ts'
import { isChosen } from '../restore-words.ts'
import { type ObjectChange, pathOf } from '../row-changes.ts'
import { brokenReferences } from './broken-references.ts'
import { attach, compareFiles, compareSchemas, openState } from './compare.ts'
import { changeRows, changesetsOn, openPlainly, type TableRows, withoutTriggers } from './lay-changes.ts'
import type { SQLite } from './load.ts'
import { type Meeting, meet, type Sides } from './merge-rows.ts'
import { schemaOf, shapeOf } from './shape.ts'
import type { States } from './states.ts'

export interface ApplyInput {
  readonly sqlite: SQLite
  readonly states: States
  readonly resource: string
  /** The user's database. */
  readonly location: string
  readonly request: DatabaseApply
  /** `look` finds out what would happen and writes nothing. */
  readonly purpose: 'look' | 'write'
  /** Whose rows meet there; where it is left out, the plan's and the user's. */
  readonly sides?: Sides
  /** What happens to rows that both changed, one by one; where it is left out, nothing is written then. */
  readonly onConflict?: OnConflict
}

export interface Laid {
  readonly report: ApplyReport
  /** Tables with rows that both changed, of which one was taken as asked. */
  readonly decided: readonly RelPath[]
}

/**
 * Brings the plan's changes into the user's database as it is now, in one transaction of that database: all of them or
 * none. Rows that are as wanted already are left alone, so that doing it twice, or again after a crash, changes nothing.
 */
export async function applyCopy(input: ApplyInput): Promise<Result<ApplyReport>> {
  const laid = await layCopy(input)
  return laid.ok ? ok(laid.value.report) : laid
}

/** The same for a database of a plan, where it can be said beforehand which of two rows is taken. */
export async function layCopy(input: ApplyInput): Promise<Result<Laid>> {
  const files = filesOf(input.states, input.request)
  if (!files.ok) return files
  const changes = compareFiles(input.sqlite, files.value.from, files.value.to)
  const chosen = choose(input.resource, changes, input.request)
  if (!chosen.ok) return chosen
  if (!existsSync(input.location)) return ok({ report: missing(input, chosen.value), decided: [] })
  const work: Work = {
    ...input,
    files: files.value,
    chosen: chosen.value,
    isWhole: chosen.value.length === changes.length,
  }
  if (chosen.value.every(change => change.hasKeys)) return applyRows(work)
  const report = await applyWhole(work)
  return report.ok ? ok({ report: report.value, decided: [] }) : report
}

interface Files {
  readonly from: string
  readonly to: string
}

interface Work extends ApplyInput {
  readonly files: Files
  readonly chosen: readonly ObjectChange[]
  readonly isWhole: boolean
}

function filesOf(states: States, request: Pick<ApplyRequest, 'from' | 'to'>): Result<Files> {
  const from = states.file(request.from)
  if (!from.ok) return from
  const to = states.file(request.to)
  return to.ok ? ok({ from: from.value, to: to.value }) : to
}

function choose(
  resource: string,
  changes: readonly ObjectChange[],
  { choice }: ApplyRequest,
): Result<ObjectChange[]> {
  if (choice.kind === 'all') return ok([...changes])
  if (choice.kind === 'hunks')
    return refuse('invalid_input', `Single rows of ${resource} cannot be chosen; choose tables.`)
  return ok(changes.filter(change => isChosen(choice, pathOf(resource, change))))
}

function missing({ resource, request, location }: ApplyInput, chosen: readonly ObjectChange[]): ApplyReport {
  if (chosen.length === 0)
    return { ...applied, written: [], unchanged: [], left: [], notices: [], state: request.to }
  return {
    outcome: 'constrained',
    conflicts: chosen.map(change => {
      const path = pathOf(resource, change)
      return { path, kind: 'modify_delete', reason: `${path}: ${location} is gone.` }
    }),
  }
}

async function applyRows(work: Work): Promise<Result<Laid>> {
  const state = work.isWhole ? ok(work.request.to) : await mergedState(work, work.request, work.chosen)
  if (!state.ok) return state
  const db = openPlainly(work.sqlite, work.location)
  const copy = work.states.scratch()
  try {
    if (work.onConflict === 'take_theirs') attach(db, work.files.to, 'after')
    // Looking must not keep the user's own programs from writing.
    db.exec(work.purpose === 'look' ? 'BEGIN' : 'BEGIN IMMEDIATE')
    const { report, due, decided } = meetAndWrite(work, db, copy, state.value)
    const isWritten = report.outcome === 'applied' && work.purpose === 'write'
    const noted = isWritten && due.length > 0 ? await noteUndo(work, due) : ok()
    if (!noted.ok) return noted
    db.exec(isWritten ? 'COMMIT' : 'ROLLBACK')
    return ok({ report, decided })
  } finally {
    // What was not committed is rolled back by closing.
    db.close()
    await rm(copy, { force: true })
  }
}

/** The state that some of the changes make on the one they begin from. */
export async function mergedState(
  { sqlite, states }: Pick<ApplyInput, 'sqlite' | 'states'>,
  { from, to }: Pick<ApplyRequest, 'from' | 'to'>,
  chosen: readonly ObjectChange[],
): Promise<Result<SandboxState>> {
  const files = filesOf(states, { from, to })
  if (!files.ok) return files
  const copy = states.scratch()
  try {
    changesetsOn(sqlite, { base: files.value.from, after: files.value.to, copy }, chosen.map(rowsOf))
    return await states.adopt(copy)
  } finally {
    await rm(copy, { force: true })
  }
}

function rowsOf({ name, rows }: ObjectChange): TableRows {
  return { table: name, rows }
}

/** Rows that the user had already as the plan wanted them are no part of what an undo takes back. */
async function noteUndo(work: Work, due: readonly TableRows[]): Promise<Result<void>> {
  const { request, chosen } = work
  if (!request.note) return ok()
  const dueOf = new Map(due.map(each => [each.table, new Set(each.rows)]))
  const had = chosen
    .map(change => ({ ...change, rows: change.rows.filter(row => !dueOf.get(change.name)?.has(row)) }))
    .filter(change => change.rows.length > 0)
  const undoTo = had.length === 0 ? ok(request.from) : await mergedState(work, request, had)
  if (!undoTo.ok) return undoTo
  await request.note(undoTo.value)
  return ok()
}

interface Written {
  readonly report: ApplyReport
  /** What was to be written, table by table. */
  readonly due: readonly TableRows[]
  readonly decided: readonly RelPath[]
}

function meetAndWrite(work: Work, db: DatabaseSync, copy: string, state: SandboxState): Written {
  const { sqlite, files, resource } = work
  const found = lookAt(work, db)
  const due = found.due.filter(each => each.rows.length > 0)
  const constrained = (conflicts: readonly ApplyConflict[]): Written => ({
    report: { outcome: 'constrained', conflicts },
    due,
    decided: [],
  })
  if (found.conflicts.length > 0) return constrained(found.conflicts)
  const taken = work.onConflict === 'take_theirs' ? found.contested : []
  if (due.length + taken.length > 0 && work.purpose === 'write') {
    const changesets = changesetsOn(sqlite, { base: files.from, after: files.to, copy }, due)
    const conflicts = layChangesets(work, db, { changesets, taken })
    if (conflicts.length > 0) return constrained(conflicts)
  }
  const decided = found.contested.map(({ table }) => pathOf(resource, { kind: 'table', name: table }))
  return { report: report(work, [...due, ...taken], state), due, decided }
}

interface Found {
  readonly due: readonly TableRows[]
  /** Rows that both changed, where it is said what to do with them. */
  readonly contested: readonly TableRows[]
  readonly conflicts: readonly ApplyConflict[]
}

function lookAt(work: Work, db: DatabaseSync): Found {
  const { resource, chosen, sides = 'you and the plan', onConflict = 'refuse' } = work
  const schema = schemaOf(db, 'main')
  const due: TableRows[] = []
  const contested: TableRows[] = []
  const conflicts: ApplyConflict[] = []
  for (const change of chosen) {
    if (schema.get(`table ${change.name}`)?.sql !== change.newSql) {
      conflicts.push(otherTable(resource, change))
      continue
    }
    const meeting: Meeting = meet(db, { resource, sides }, change, shapeOf(db, 'main', change.name))
    due.push({ table: change.name, rows: meeting.due })
    if (onConflict === 'refuse') conflicts.push(...meeting.conflicts)
    else if (meeting.contested.length > 0) contested.push({ table: change.name, rows: meeting.contested })
  }
  return { due, contested, conflicts }
}

function otherTable(resource: string, change: ObjectChange): ApplyConflict {
  const path = pathOf(resource, change)
  return { path, kind: 'foreign', reason: `${path}: the table was changed or removed meanwhile.` }
}

interface Laying {
  readonly changesets: ReadonlyMap<string, Uint8Array>
  /** Rows that are written whatever is there. */
  readonly taken: readonly TableRows[]
}

/** What SQLite itself finds against a change set ends all of it. */
function layChangesets(
  { sqlite, resource, files }: Work,
  db: DatabaseSync,
  { changesets, taken }: Laying,
): ApplyConflict[] {
  const before = brokenReferences(db)
  const conflicts: ApplyConflict[] = []
  withoutTriggers(db, () => {
    for (const [table, changeset] of changesets) {
      let kind: number | null = null
      const onConflict = (type: number) => {
        kind = type
        return sqlite.constants.SQLITE_CHANGESET_ABORT
      }
      if (!db.applyChangeset(changeset, { onConflict })) conflicts.push(refusedBy(resource, table, kind))
    }
    for (const { table, rows } of taken) changeRows(db, shapeOf(db, 'main', table), rows)
    const tables = [...changesets.keys(), ...taken.map(({ table }) => table)]
    raiseSequences(db, sequencesIn(sqlite, files.to), tables)
  })
  return conflicts.length > 0 ? conflicts : newlyBroken(db, resource, before)
}

/** SQLITE_CHANGESET_CONSTRAINT, which the types of Node leave out. */
const CONSTRAINT = 4

function refusedBy(resource: string, table: string, kind: number | null): ApplyConflict {
  const path = pathOf(resource, { kind: 'table', name: table })
  const isRule = kind === CONSTRAINT
  const reason = isRule
    ? `${path}: a row of yours already has a value that must be unique, or breaks another rule of the table.`
    : `${path}: the table was changed at the same moment.`
  return { path, kind: 'content', reason }
}

/** Numbers that were given out are not given out again. */
function raiseSequences(
  db: DatabaseSync,
  highest: ReadonlyMap<string, bigint>,
  tables: readonly string[],
): void {
  if (highest.size === 0) return
  const raise = db.prepare('UPDATE main.sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
  for (const table of tables) {
    const value = highest.get(table)
    if (value !== undefined) raise.run(value, table)
  }
}

function sequencesIn(sqlite: SQLite, file: string): Map<string, bigint> {
  using db = openState(sqlite, file)
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() === undefined)
    return new Map()
  const rows = db.prepare('SELECT name, seq FROM sqlite_sequence').all()
  return new Map(rows.map(row => [String(row['name']), BigInt(String(row['seq']))]))
}

function newlyBroken(db: DatabaseSync, resource: string, before: ReadonlySet<string>): ApplyConflict[] {
  const found = [...brokenReferences(db)].filter(each => !before.has(each))
  const tables = [...new Set(found.map(each => each.split(' ')[0] ?? ''))]
  return tables.map(table => {
    const path = pathOf(resource, { kind: 'table', name: table })
    return { path, kind: 'content', reason: `${path}: rows would refer to rows that you removed.` }
  })
}

function report({ resource, chosen }: Work, due: readonly TableRows[], state: SandboxState): ApplyReport {
  const changed = new Set(due.filter(each => each.rows.length > 0).map(each => each.table))
  const paths = (some: readonly ObjectChange[]) => some.map(change => pathOf(resource, change))
  return {
    ...applied,
    written: paths(chosen.filter(change => changed.has(change.name))),
    unchanged: paths(chosen.filter(change => !changed.has(change.name))),
    left: [],
    notices: [],
    state,
  }
}

/**
 * Changes of tables themselves, and of rows without keys, cannot be merged. They are laid over as a whole, which is
 * right only while the user's database is what the plan began with.
 */
async function applyWhole(work: Work): Promise<Result<ApplyReport>> {
  const { sqlite, resource, location, files, chosen, request } = work
  using watch = watchFor(sqlite, location)
  const paths = chosen.map(change => pathOf(resource, change))
  if (isLike(sqlite, location, files.to))
    return ok({ ...applied, written: [], unchanged: paths, left: [], notices: [], state: request.to })
  const isUntouched = isLike(sqlite, location, files.from)
  if (!isUntouched || !work.isWhole)
    return ok({ outcome: 'constrained', conflicts: wholeOnly(work, isUntouched) })
  if (work.purpose === 'write') await request.note?.(request.from)
  if (work.purpose === 'write' && !(await layOver(sqlite, files.to, location, watch)))
    return ok({ outcome: 'constrained', conflicts: wholeOnly(work, false) })
  return ok({ ...applied, written: paths, unchanged: [], left: [], notices: [], state: request.to })
}

function wholeOnly({ resource, chosen }: Work, isUntouched: boolean): ApplyConflict[] {
  const why = isUntouched
    ? 'it can only be applied together with every other change of this database'
    : 'it can only be applied while your database is as it was when the plan began, and it was changed'
  return chosen
    .filter(change => !change.hasKeys)
    .map(change => {
      const path = pathOf(resource, change)
      const what = change.oldSql === change.newSql ? 'its rows have no primary key' : 'its schema changes'
      return { path, kind: 'foreign', reason: `${path}: ${what}, so ${why}.` }
    })
}

function isLike(sqlite: SQLite, location: string, file: string): boolean {
  const db = openPlainly(sqlite, location)
  try {
    attach(db, file, 'plan')
    return compareSchemas(db, 'main', 'plan').length === 0
  } finally {
    db.close()
  }
}

interface Watch extends Disposable {
  /** Whether anybody has written in the database since; true also where nobody can tell. */
  wasWritten(): boolean
}

/**
 * Begins before the look. A log shows others' commits in its version; without one each commit counts up in the header of
 * the file, by which SQLite itself knows whether what it has read is still so.
 * https://www.sqlite.org/fileformat.html#file_change_counter
 */
function watchFor({ DatabaseSync }: SQLite, location: string): Watch {
  const db = new DatabaseSync(location, { timeout: 0 })
  // Closing it would give up every lock that this process has on the file, so it stays open as long as the watch.
  const file = openSync(location, 'r')
  const version = () => db.prepare('PRAGMA main.data_version').get()?.['data_version']
  const header = () => {
    const bytes = Buffer.alloc(HEADER_BYTES)
    readSync(file, bytes, 0, HEADER_BYTES, 0)
    const { ino, size } = statSync(location, { bigint: true })
    return `${ino} ${size} ${bytes.toString('hex')}`
  }
  const hasLog = db.prepare('PRAGMA main.journal_mode').get()?.['journal_mode'] === 'wal'
  const mark = hasLog ? version : header
  const before = mark()
  return {
    wasWritten: () => mark() !== before,
    [Symbol.dispose]() {
      closeSync(file)
      db.close()
    },
  }
}

const HEADER_BYTES = 100

/**
 * By SQLite's own backup: one transaction of the user's database, which a crash undoes. Only the backup itself can lock
 * its target, which it does at its first step; whether it is still what was looked at is asked then, and nothing is
 * written when it is not. The first step is small, so that no page of it reaches the file before. False: not written.
 */
async function layOver(sqlite: SQLite, from: string, location: string, watch: Watch): Promise<boolean> {
  using db = openState(sqlite, from)
  const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count'] ?? 1)
  // A database without any table is one page, laid in a single step that nobody can look into.
  if (watch.wasWritten()) return false
  let isLocked = false
  const progress = () => {
    if (isLocked) return
    isLocked = true
    if (watch.wasWritten()) throw new WrittenMeanwhile()
  }
  try {
    await sqlite.backup(db, location, { rate: Math.max(1, Math.min(16, pages - 1)), progress })
    return true
  } catch (error) {
    if (error instanceof WrittenMeanwhile) return false
    throw error
  }
}

/** Ends a backup, which takes back what it has done. */
class WrittenMeanwhile extends Error {}

const applied = { outcome: 'applied', left: [], notices: [] } as const
