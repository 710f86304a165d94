import { randomUUID } from 'node:crypto'
import type { Host } from '../../application/ports.ts'
import { type Failure, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Statement, StatementResult } from '../../domain/sandbox/database.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type {
  ApplyReport,
  DriftedPath,
  RestorePreview,
  RestoreReport,
  RestoreScope,
  SandboxState,
} from '../../domain/sandbox/strategy.ts'
import { oneAtATime } from '../sandboxes/one-at-a-time.ts'
import { changesBetween } from './compose-changes.ts'
import type { DatabaseApply, DatabaseSandbox } from './database-sandbox.ts'
import { covers, driftOf, isWithin, previewOf, reportOf } from './restore-words.ts'
import { changeSetOf, type ObjectChange, patchOf, pathOf } from './row-changes.ts'
import type { TransactionDriver } from './transaction-driver.ts'
import type { TransactionStates } from './transaction-states.ts'

/** A transaction lives as long as its connection, which outlasts the runs of a plan: it waits at gates as well. */
export interface HeldTransaction {
  readonly driver: TransactionDriver
  readonly beganAt: number
  /** States that can be gone back to, oldest first; each has a savepoint of its name. */
  readonly states: SandboxState[]
  isDirty: boolean
}

export interface TransactionInput {
  readonly name: string
  readonly folder: string
  readonly host: Pick<Host, 'process' | 'isAlive'>
  readonly states: TransactionStates
  readonly begin: () => Promise<Result<TransactionDriver>>
  /** Whether the database has these changes already, as others see it; null when that cannot be told from it. */
  readonly hasThem: (changes: readonly ObjectChange[]) => Promise<boolean | null>
  readonly held: () => HeldTransaction | null
  readonly hold: (transaction: HeldTransaction | null) => void
  readonly failureOf: (error: unknown) => Failure | null
}

/** The database as the plan found it. The same name in every transaction, so that a lost one can be begun again. */
const BEGINNING = 'begin' as SandboxState

const HELD_LONG_MS = 5 * 60_000

/** Work directly in the user's database, in one transaction: apply is its commit, and its end is the end of the work. */
export function transactionSandbox(input: TransactionInput): DatabaseSandbox {
  const { name, folder, states, host } = input
  const inTurn = oneAtATime()
  const inOrder = <Value>(work: () => Promise<Result<Value>>) => inTurn(() => guarded(work))

  return {
    strategy: 'transaction_rollback',
    root: folder,
    enter: async () => ok(null),
    databases: null,
    unrecorded: async () => [],
    baseline: BEGINNING,
    notices: [],
    checkpoint: () => inOrder(record),
    restore: (state, scope) => inOrder(() => restore(state, scope ?? { kind: 'all' })),
    previewRestore: (state, { scope }) => inOrder(() => previewRestore(state, scope)),
    drift: (recorded, written) => inOrder(() => drift(recorded, written)),
    captureProject: async () => ok(null),
    changes: (from, to) =>
      inOrder(async () => mapped(await between(from, to), found => changeSetOf(name, found))),
    patch: (from, to, only) =>
      inOrder(async () =>
        mapped(await between(from, to), found =>
          patchOf(
            name,
            found.filter(change => only === undefined || only.includes(pathOf(name, change))),
          ),
        ),
      ),
    choose: async ({ to, choice }) =>
      choice.kind === 'hunks'
        ? refuse('invalid_input', 'Single rows of a database cannot be chosen; choose the whole database.')
        : ok(to),
    check: request => inOrder(() => apply(request, 'look')),
    apply: request => inOrder(() => apply(request, 'write')),
    unfinishedApply: async () => null,
    settleApply: async () =>
      refuse('invalid_state', `The database ${name} has no interrupted apply: a commit happens or does not.`),
    merge: async () => refuseMerge(),
    checkMerge: async () => refuseMerge(),
    replay: async (onto, { from, to }) => {
      if (onto === from) return ok({ outcome: 'merged', state: to })
      return from === to ? ok({ outcome: 'merged', state: onto }) : refuseReplay()
    },
    query: statement => inOrder(() => run('query', statement)),
    change: statement => inOrder(() => run('change', statement)),
    // The transaction stays: it is what the plan has done so far. Discarding ends it.
    close: () => inTurn(async () => {}),
  }

  function refuseMerge() {
    return refuse(
      'not_available',
      `What another plan did in the database ${name} cannot be merged: each works in a transaction of its own.`,
    )
  }

  function refuseReplay() {
    return refuse(
      'not_available',
      `Later work in the database ${name} cannot be kept: it is one open transaction, which can only go back.`,
    )
  }

  async function guarded<Value>(work: () => Promise<Result<Value>>): Promise<Result<Value>> {
    try {
      return await work()
    } catch (error) {
      const failure = input.failureOf(error)
      if (failure === null) throw error
      return { ok: false, failure }
    }
  }

  /** The transaction, begun when it is first needed; refused once its work is lost or committed. */
  async function opened(): Promise<Result<HeldTransaction>> {
    const held = input.held()
    if (held) {
      const lost = await held.driver.lost()
      return lost === null ? ok(held) : refuseLost(lost)
    }
    const record = await states.read()
    if (record?.isCommitted) return refuseCommitted()
    if (record && !isMine(record.holder) && host.isAlive(record.holder)) return refuseElsewhere()
    if (record?.committing) return settleCommit(record.committing)
    if (record?.isTouched) return refuseLost('it ended with the program that held it')
    return begin()
  }

  function isMine(holder: Host['process']): boolean {
    return holder.pid === host.process.pid && holder.startedAt === host.process.startedAt
  }

  async function begin(): Promise<Result<HeldTransaction>> {
    const driver = await input.begin()
    if (!driver.ok) return driver
    await driver.value.savepoint(BEGINNING)
    const held: HeldTransaction = {
      driver: driver.value,
      beganAt: Date.now(),
      states: [BEGINNING],
      isDirty: false,
    }
    input.hold(held)
    await note({ isTouched: false })
    return ok(held)
  }

  async function note(more: { isTouched?: boolean; committing?: SandboxState; isCommitted?: boolean }) {
    const known = await states.read()
    await states.write({
      version: 1,
      holder: host.process,
      isTouched: more.isTouched ?? known?.isTouched ?? false,
      committing: more.committing ?? null,
      isCommitted: more.isCommitted ?? false,
    })
  }

  /** The process ended in the very moment of the commit: the database itself knows whether it happened. */
  async function settleCommit(state: SandboxState): Promise<Result<never>> {
    const changes = await states.get(state)
    const hasThem = changes === null ? null : await input.hasThem(changes)
    if (hasThem === null) return refuseUnsure(changes ?? [])
    if (!hasThem) return refuseLost('it ended with the program that held it')
    await note({ isTouched: true, committing: state, isCommitted: true })
    return refuseCommitted()
  }

  function refuseLost(why: string): Result<never> {
    return refuse(
      'sandbox_failed',
      `The open transaction of the database ${name} is gone: ${why}. What the plan had changed in it is lost; the database is as it was. Correct the plan's first decision about it to do the work again, or cancel the plan.`,
      { database: name },
    )
  }

  function refuseUnsure(changes: readonly ObjectChange[]): Result<never> {
    const paths = changes.map(change => pathOf(name, change))
    const where = paths.length === 0 ? 'the database' : paths.join(', ')
    return refuse(
      'sandbox_failed',
      `The program ended in the moment of the commit of the database ${name}, and whether it happened cannot be told from the database. Look at ${where} yourself. Nothing more is done in it until then: if the changes are missing, roll the plan back to its beginning and do the work again; if they are there, start a new plan.`,
      { database: name, paths, unsure: true },
    )
  }

  function refuseCommitted(): Result<never> {
    return refuse('invalid_state', `The transaction of the database ${name} was committed. Start a new plan.`)
  }

  function refuseElsewhere(): Result<never> {
    return refuse(
      'transient',
      `The transaction of the database ${name} is held by another process that runs the plan.`,
    )
  }

  async function run(access: 'query' | 'change', statement: Statement): Promise<Result<StatementResult>> {
    const held = await opened()
    if (!held.ok) return held
    if (access === 'change') {
      // Written down first: what was changed in a transaction that is gone must not be taken for nothing.
      if (!(await states.read())?.isTouched) await note({ isTouched: true })
      held.value.isDirty = true
    }
    const result = await held.value.driver.run(access, statement)
    const lost = await held.value.driver.lost()
    if (lost !== null) return refuseLost(lost)
    return mapped(result, found => ({ ...found, notice: heldLong(held.value) }))
  }

  function heldLong({ beganAt }: HeldTransaction): string | null {
    const heldMs = Date.now() - beganAt
    if (heldMs < HELD_LONG_MS) return null
    return `the transaction of ${name} has been open for ${Math.floor(heldMs / 60_000)} minutes and keeps others waiting`
  }

  async function record(): Promise<Result<SandboxState>> {
    // A database that nothing was done in needs no transaction to say so.
    if (input.held() === null && !(await states.read())?.isTouched) return ok(BEGINNING)
    const held = await opened()
    if (!held.ok) return held
    const latest = held.value.states.at(-1) ?? BEGINNING
    if (!held.value.isDirty) return ok(latest)
    const changes = await held.value.driver.changes()
    const known = latest === BEGINNING ? [] : await states.get(latest)
    held.value.isDirty = false
    if (known && changesBetween(known, changes).length === 0) return ok(latest)
    const state = `t${randomUUID()}` as SandboxState
    await held.value.driver.savepoint(state)
    await states.put(state, changes)
    held.value.states.push(state)
    return ok(state)
  }

  async function restore(state: SandboxState, scope: RestoreScope): Promise<Result<RestoreReport>> {
    if (scope.kind !== 'all' && !isWhole(scope)) return refusePart()
    if (state === BEGINNING && input.held() === null) return beginAgain()
    const held = await opened()
    if (!held.ok && state === BEGINNING) return beginAgain()
    if (!held.ok) return held
    const at = held.value.states.indexOf(state)
    if (at < 0) return refuseUnknown(state)
    const present = await held.value.driver.changes()
    const wanted = await changesAt(state)
    if (!wanted.ok) return wanted
    await held.value.driver.rollbackTo(state)
    await states.forget(held.value.states.splice(at + 1))
    held.value.isDirty = false
    return ok(reportOf(name, changesBetween(present, wanted.value)))
  }

  /** Nothing to go back over: what was done is gone with the transaction that it was done in. */
  async function beginAgain(): Promise<Result<RestoreReport>> {
    const record = await states.read()
    if (record?.isCommitted) return refuseCommitted()
    if (record && !isMine(record.holder) && host.isAlive(record.holder)) return refuseElsewhere()
    await input.held()?.driver.end()
    input.hold(null)
    if (record) await note({ isTouched: false })
    return ok({ restored: [], removed: [] })
  }

  /** Only as a whole: a savepoint knows no tables. */
  function isWhole(scope: Exclude<RestoreScope, { kind: 'all' }>): boolean {
    return scope.kind === 'only'
      ? scope.paths.includes(name as RelPath)
      : !scope.paths.some(path => covers(name as RelPath, path))
  }

  function refusePart(): Result<never> {
    return refuse(
      'invalid_input',
      `The database ${name} is worked on in one transaction; it is only restored as a whole.`,
    )
  }

  function refuseUnknown(state: SandboxState): Result<never> {
    return refuse(
      'not_found',
      `The database ${name} cannot go to the state ${state.slice(0, 9)}: the transaction went back to before it, or ended.`,
      { state },
    )
  }

  async function previewRestore(state: SandboxState, scope: RestoreScope): Promise<Result<RestorePreview>> {
    const held = input.held()
    const cannot = (why: string): RestorePreview => ({
      restored: [],
      leftAlone: [],
      cannotRestore: [{ what: name, why }],
    })
    if (!held?.states.includes(state))
      return state === BEGINNING
        ? ok({ restored: [], leftAlone: [], cannotRestore: [] })
        : ok(cannot('the transaction that had this state has ended or went back to before it'))
    const wanted = await changesAt(state)
    if (!wanted.ok) return wanted
    const found = changesBetween(await held.driver.changes(), wanted.value)
    const preview = previewOf(
      name,
      found.filter(change => isWithin(scope, pathOf(name, change))),
    )
    const isLast = held.states.at(-1) === state
    return ok(isLast ? preview : { ...preview, cannotRestore: [{ what: name, why: LATER_STATES_END }] })
  }

  async function drift(
    recorded: SandboxState,
    written: readonly RelPath[],
  ): Promise<Result<readonly DriftedPath[]>> {
    const held = input.held()
    if (!held) return ok([])
    const known = await changesAt(recorded)
    if (!known.ok) return known
    const found = changesBetween(known.value, await held.driver.changes())
    const foreign = found.filter(change => !written.some(path => covers(path, pathOf(name, change))))
    return ok(foreign.map(change => driftOf(name, change)))
  }

  async function changesAt(state: SandboxState): Promise<Result<readonly ObjectChange[]>> {
    const found = state === BEGINNING ? [] : await states.get(state)
    return found === null ? refuseUnknown(state) : ok(found)
  }

  async function between(from: SandboxState, to: SandboxState): Promise<Result<ObjectChange[]>> {
    const old = await changesAt(from)
    if (!old.ok) return old
    const fresh = await changesAt(to)
    return fresh.ok ? ok(changesBetween(old.value, fresh.value)) : fresh
  }

  async function apply(request: DatabaseApply, purpose: 'look' | 'write'): Promise<Result<ApplyReport>> {
    const found = await between(request.from, request.to)
    if (!found.ok) return found
    const paths = found.value.map(change => pathOf(name, change))
    const applied = (report: { written: RelPath[]; unchanged: RelPath[]; state: SandboxState }) =>
      ok<ApplyReport>({ outcome: 'applied', left: [], notices: [], ...report })
    const { choice } = request
    const isChosen = (path: RelPath) =>
      choice.kind === 'all' || (choice.kind === 'paths' && choice.only.some(only => covers(only, path)))
    const chosen = paths.filter(isChosen)
    if (chosen.length === 0) return applied({ written: [], unchanged: [], state: request.from })
    const record = await states.read()
    if (record?.isCommitted && record.committing === request.to)
      return applied({ written: [], unchanged: paths, state: request.to })
    if (chosen.length < paths.length)
      return refuse(
        'invalid_input',
        `The database ${name} is worked on in one transaction; apply all of its tables or none.`,
      )
    if (request.to === BEGINNING) {
      const kept = await refusalToTakeBack()
      if (kept !== null && !kept.ok && kept.failure.facts?.['unsure'] === true) {
        const left = paths.map(path => ({ path, kind: 'foreign' as const, reason: kept.failure.message }))
        return ok({ outcome: 'applied', written: [], unchanged: [], left, notices: [], state: request.to })
      }
      return kept ?? applied({ written: [], unchanged: paths, state: request.to })
    }
    return commit(request, { paths, purpose })
  }

  /** Before the commit nothing of it is in the database, after it the transaction is over; null before. */
  async function refusalToTakeBack(): Promise<Result<never> | null> {
    const record = await states.read()
    if (record && !isMine(record.holder) && host.isAlive(record.holder)) return refuseElsewhere()
    if (input.held() === null && record?.committing) {
      const settled = await settleCommit(record.committing)
      if (!settled.ok && settled.failure.facts?.['unsure'] === true) return settled
    }
    return (await states.read())?.isCommitted ? refuseCommitted() : null
  }

  async function commit(
    request: DatabaseApply,
    { paths, purpose }: { readonly paths: RelPath[]; readonly purpose: 'look' | 'write' },
  ): Promise<Result<ApplyReport>> {
    const written = { outcome: 'applied', written: paths, unchanged: [], left: [], notices: [] } as const
    const held = await opened()
    if (!held.ok) {
      // The commit of a process that ended in it may have happened.
      const record = await states.read()
      if (!record?.isCommitted || record.committing !== request.to) return held
      return ok({ ...written, written: [], unchanged: paths, state: request.to })
    }
    if (held.value.isDirty || held.value.states.at(-1) !== request.to)
      return refuse('invalid_state', `The database ${name} is not in the state that is to be applied.`)
    const conflicts = await held.value.driver.obstacles()
    if (conflicts.length > 0) return ok({ outcome: 'constrained', conflicts })
    if (purpose === 'look') return ok({ ...written, state: request.to })
    await request.note?.(request.from)
    await note({ committing: request.to })
    await held.value.driver.commit()
    await note({ committing: request.to, isCommitted: true })
    await held.value.driver.end()
    input.hold(null)
    return ok({ ...written, state: request.to })
  }
}

const LATER_STATES_END = 'the states after it end; the transaction cannot go forward to them again'

function mapped<From, To>(result: Result<From>, turn: (value: From) => To): Result<To> {
  return result.ok ? ok(turn(result.value)) : result
}
