import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import type {
  ApplyConflict,
  ApplyReport,
  ApplyRequest,
  SandboxState,
} from '../../../domain/sandbox/strategy.ts'
import { isChosen } from '../restore-words.ts'
import { type ObjectChange, pathOf } from '../row-changes.ts'
import { applyWhole } from './apply-whole.ts'
import { type ApplyInput, applied, type Files, type Work } from './apply-work.ts'
import { brokenReferences } from './broken-references.ts'
import { attach, compareFiles, openState } from './compare.ts'
import { changeRows, changesetsOn, openPlainly, type TableRows, withoutTriggers } from './lay-changes.ts'
import type { SQLite } from './load.ts'
import { type Meeting, meet } from './merge-rows.ts'
import { schemaOf, shapeOf } from './shape.ts'
import type { States } from './states.ts'

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
