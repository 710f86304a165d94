import { randomUUID } from 'node:crypto'
import { mapped, ok, type Result, refuse } from '../../domain/failure.ts'
import type { Statement, StatementResult } from '../../domain/sandbox/database.ts'
import { covers, type RelPath } from '../../domain/sandbox/rel-path.ts'
import type { DriftedPath, SandboxState } from '../../domain/sandbox/strategy.ts'
import { oneAtATime } from '../sandboxes/one-at-a-time.ts'
import { changesBetween } from './compose-changes.ts'
import type { DatabaseSandbox } from './database-sandbox.ts'
import { driftOf } from './restore-words.ts'
import { changeSetOf, patchOf, pathOf } from './row-changes.ts'
import { transactionApply } from './transaction-apply.ts'
import {
  BEGINNING,
  type HeldTransaction,
  type TransactionInput,
  transactionLife,
} from './transaction-life.ts'
import { transactionRestore } from './transaction-restore.ts'

const HELD_LONG_MS = 5 * 60_000

/** Work directly in the user's database, in one transaction: apply is its commit, and its end is the end of the work. */
export function transactionSandbox(input: TransactionInput): DatabaseSandbox {
  const { name, folder, states } = input
  const life = transactionLife(input)
  const apply = transactionApply(input, life)
  const { restore, previewRestore } = transactionRestore(input, life)
  const inTurn = oneAtATime()
  const inOrder = <Value>(work: () => Promise<Result<Value>>) => inTurn(() => guarded(work))

  return {
    strategy: 'transaction_rollback',
    root: folder,
    enter: async () => ok(null),
    databases: null,
    unrecorded: async () => [],
    baseline: BEGINNING,
    startedFrom: null,
    notices: [],
    checkpoint: () => inOrder(record),
    restore: (state, scope) => inOrder(() => restore(state, scope ?? { kind: 'all' })),
    previewRestore: (state, { scope }) => inOrder(() => previewRestore(state, scope)),
    drift: (recorded, written) => inOrder(() => drift(recorded, written)),
    captureProject: async () => ok(null),
    changes: (from, to) =>
      inOrder(async () => mapped(await life.between(from, to), found => changeSetOf(name, found))),
    patch: (from, to, only) =>
      inOrder(async () =>
        mapped(await life.between(from, to), found =>
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
    baselineIn: async () => BEGINNING,
    receive: async () => refuseMerge(),
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
      `What another plan did in the database ${name} cannot be merged or compared: each works in a transaction of its own.`,
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

  async function run(access: 'query' | 'change', statement: Statement): Promise<Result<StatementResult>> {
    const held = await life.opened()
    if (!held.ok) return held
    if (access === 'change') {
      // Written down first: what was changed in a transaction that is gone must not be taken for nothing.
      if (!(await states.read())?.isTouched) await life.note({ isTouched: true })
      held.value.isDirty = true
    }
    const result = await held.value.driver.run(access, statement)
    const lost = await held.value.driver.lost()
    if (lost !== null) return life.refuseLost(lost)
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
    const held = await life.opened()
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

  async function drift(
    recorded: SandboxState,
    written: readonly RelPath[],
  ): Promise<Result<readonly DriftedPath[]>> {
    const held = input.held()
    if (!held) return ok([])
    const known = await life.changesAt(recorded)
    if (!known.ok) return known
    const found = changesBetween(known.value, await held.driver.changes())
    const foreign = found.filter(change => !written.some(path => covers(path, pathOf(name, change))))
    return ok(foreign.map(change => driftOf(name, change)))
  }
}
