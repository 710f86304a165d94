import type { Host } from '../../application/ports/machine.ts'
import { type Failure, ok, type Result, refuse } from '../../domain/failure.ts'
import type { SandboxState } from '../../domain/sandbox/strategy.ts'
import { changesBetween } from './compose-changes.ts'
import { type ObjectChange, pathOf } from './row-changes.ts'
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
export const BEGINNING = 'begin' as SandboxState

export type TransactionLife = ReturnType<typeof transactionLife>

/** How the transaction of a plan begins and ends: who holds it, whether its work is lost or committed, what it changed. */
export function transactionLife(input: TransactionInput) {
  const { name, states, host } = input
  return {
    opened,
    note,
    settleCommit,
    changesAt,
    between,
    heldElsewhere,
    refuseLost,
    refuseCommitted,
    refuseElsewhere,
    refuseUnknown,
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

  /** Another process that lives has it. */
  async function heldElsewhere(): Promise<boolean> {
    const record = await states.read()
    return record !== null && !isMine(record.holder) && host.isAlive(record.holder)
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

  function refuseUnknown(state: SandboxState): Result<never> {
    return refuse(
      'not_found',
      `The database ${name} cannot go to the state ${state.slice(0, 9)}: the transaction went back to before it, or ended.`,
      { state },
    )
  }
}
