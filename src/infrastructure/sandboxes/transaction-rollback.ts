import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../../application/ports/machine.ts'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/resource.ts'
import type { SandboxSpec, SandboxStrategy, Unavailable } from '../../domain/sandbox/strategy.ts'
import type { DatabaseOrigin, DatabaseSandbox } from '../databases/database-sandbox.ts'
import { failureOfPostgres, openPostgres } from '../databases/postgresql/index.ts'
import { openCopy, releaseCopy } from '../databases/sqlite/copy-sandbox.ts'
import { loadSQLite } from '../databases/sqlite/load.ts'
import { sqliteFailure } from '../databases/sqlite/sqlite-failure.ts'
import { beginOnSQLite, hasChanges, refuseWithoutLog } from '../databases/sqlite/transaction-driver.ts'
import type { HeldTransaction } from '../databases/transaction-life.ts'
import { transactionSandbox } from '../databases/transaction-sandbox.ts'
import { transactionStatesIn } from '../databases/transaction-states.ts'
import { earlierDatabases } from './earlier-databases.ts'
import { planPath } from './store/plan-folder.ts'

export interface DatabaseStrategy extends SandboxStrategy {
  readonly resource: Resource
  /** What a person should know about working with it, before it is opened. */
  readonly notices: readonly string[]
  open(spec: DatabaseOpening, signal: AbortSignal): Promise<Result<DatabaseSandbox>>
  /** Whether the plan has used this database at all. */
  isUsed(planId: PlanId): boolean
}

export interface DatabaseOpening extends Omit<SandboxSpec, 'startsFrom'> {
  readonly startsFrom?: DatabaseOrigin
  /** Where the copy of a database lies that is a file of the project. */
  readonly workFile?: string
}

export interface DatabaseAccess {
  readonly stateDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly host: Pick<Host, 'process' | 'isAlive'>
  /** Transactions that are open in this process, by the folder that describes them. */
  readonly transactions: Map<string, HeldTransaction>
}

/** One database as a resource of a plan. */
export function transactionRollback(access: DatabaseAccess, resource: Resource): DatabaseStrategy {
  return resource.mode === 'copy' ? byCopy(access, resource) : byTransaction(access, resource)
}

function byCopy({ stateDir }: DatabaseAccess, resource: Resource): DatabaseStrategy {
  const folderOf = (planId: PlanId) => databaseFolder(stateDir, planId, resource)
  const earlier = earlierDatabases(stateDir, resource)
  return {
    name: 'transaction_rollback',
    resource,
    notices: [`The plan works on a copy of the database ${resource.name}; yours changes at Apply.`],
    protects: [
      'Your database stays as it is until you approve Apply, which changes it in one transaction: all of it or nothing.',
      'Rows that you changed meanwhile are kept; a row that you and the plan both changed is a conflict, and nothing is written.',
      'Every checkpoint can be returned to exactly, also after a crash.',
    ],
    doesNotProtect: [
      'Programs that reach the database by a way of their own, e.g. a server or an absolute path.',
      'Changes to tables themselves, and to tables without a primary key, are only applied while your database is unchanged.',
    ],
    restores: 'always',
    place: 'beside',
    unavailable: () => fileUnavailable(resource),
    open: async spec => {
      const sqlite = await loadSQLite()
      if (!sqlite.ok) return sqlite
      return openCopy(sqlite.value, {
        planId: spec.planId,
        resource,
        folder: folderOf(spec.planId),
        folderOf,
        workFile: spec.workFile ?? null,
        earlier: earlier.list(spec.planId),
        ...(spec.startsFrom ? { startsFrom: spec.startsFrom } : {}),
      })
    },
    isUsed: planId => existsSync(folderOf(planId)),
    release: planId => releaseCopy(folderOf(planId)),
    renew: planId => earlier.putAside(planId, folderOf(planId)),
    discard: async planId => {
      await rm(folderOf(planId), { recursive: true, force: true })
      await earlier.remove(planId)
    },
  }
}

function byTransaction(access: DatabaseAccess, resource: Resource): DatabaseStrategy {
  const { stateDir, transactions, host } = access
  const { name } = resource
  const folderOf = (planId: PlanId) => databaseFolder(stateDir, planId, resource)
  const end = async (planId: PlanId) => {
    const folder = folderOf(planId)
    await transactions.get(folder)?.driver.end()
    transactions.delete(folder)
  }
  const earlier = earlierDatabases(stateDir, resource)
  return {
    name: 'transaction_rollback',
    resource,
    notices: [
      `The plan works in one open transaction of your own database ${name}: while it is open, others wait to write there; if the program ends, its work there is lost; commands do not see it.`,
    ],
    protects: [
      'Nobody else sees the changes until you approve Apply, which commits them: all of them or none.',
      'While the program runs, every checkpoint from here backwards can be returned to.',
    ],
    doesNotProtect: [
      'The work in the database is lost when the program, the machine or the connection ends before Apply.',
      'The open transaction holds locks: others who want to write wait or fail for as long as it is open.',
      'Commands and checks of the plan do not see its changes, only the database tools do.',
      'A restore forgets the later states of the database; it cannot go forward again.',
    ],
    restores: 'while_open',
    place: 'beside',
    unavailable: () =>
      resource.type === 'sqlite' ? logUnavailable(resource) : postgresUnavailable(access, resource),
    open: async spec => {
      if (spec.startsFrom) return refuseChild(resource)
      const folder = folderOf(spec.planId)
      const connector = await connectorFor(access, resource)
      if (!connector.ok) return connector
      return ok(
        transactionSandbox({
          name,
          folder,
          host,
          states: transactionStatesIn(folder, earlier.list(spec.planId)),
          ...connector.value,
          held: () => transactions.get(folder) ?? null,
          hold: transaction => {
            if (transaction) transactions.set(folder, transaction)
            else transactions.delete(folder)
          },
        }),
      )
    },
    isUsed: planId => existsSync(folderOf(planId)),
    release: end,
    renew: async planId => {
      await end(planId)
      await earlier.putAside(planId, folderOf(planId))
    },
    discard: async planId => {
      await end(planId)
      await rm(folderOf(planId), { recursive: true, force: true })
      await earlier.remove(planId)
    },
  }
}

/** What its parent did there is nobody else's to see before the commit. */
function refuseChild({ name }: Resource) {
  return refuse(
    'not_available',
    `A child plan cannot work in the database ${name}: its parent works there in one open transaction, which nobody else sees. Do it in the parent plan, or register the database with --mode copy.`,
    { database: name },
  )
}

type Connector = Pick<Parameters<typeof transactionSandbox>[0], 'begin' | 'hasThem' | 'failureOf'>

async function connectorFor(access: DatabaseAccess, resource: Resource): Promise<Result<Connector>> {
  const what = `The database ${resource.name}`
  if (resource.type === 'postgresql') {
    const postgres = openPostgres(resource, access.environment)
    return ok({ ...postgres, failureOf: error => failureOfPostgres(error, what) })
  }
  const sqlite = await loadSQLite()
  if (!sqlite.ok) return sqlite
  return ok({
    begin: async () => beginOnSQLite(sqlite.value, resource),
    hasThem: async changes => hasChanges(sqlite.value, resource, changes),
    failureOf: error => sqliteFailure(error, what),
  })
}

async function fileUnavailable(resource: Resource): Promise<Unavailable | null> {
  const sqlite = await loadSQLite()
  if (!sqlite.ok) return { reason: sqlite.failure.message, nextBest: null }
  const found = await stat(resource.location).catch(() => null)
  if (found?.isFile()) return null
  const reason = `There is no file ${resource.location}. Register the resource ${resource.name} anew with its present place.`
  return { reason, nextBest: null }
}

async function logUnavailable(resource: Resource): Promise<Unavailable | null> {
  const missing = await fileUnavailable(resource)
  const sqlite = await loadSQLite()
  if (missing || !sqlite.ok) return missing
  using db = new sqlite.value.DatabaseSync(resource.location)
  const mode = db.prepare('PRAGMA journal_mode').get()?.['journal_mode']
  if (mode === 'wal') return null
  return { reason: refuseWithoutLog(resource.name).failure.message, nextBest: null }
}

async function postgresUnavailable(
  { environment }: DatabaseAccess,
  resource: Resource,
): Promise<Unavailable | null> {
  try {
    const begun = await openPostgres(resource, environment).begin()
    if (begun.ok) await begun.value.end()
    return begun.ok ? null : { reason: begun.failure.message, nextBest: null }
  } catch (error) {
    const failure = failureOfPostgres(error, `The database ${resource.name}`)
    if (failure === null) throw error
    return { reason: failure.message, nextBest: null }
  }
}

function databaseFolder(stateDir: string, planId: PlanId, resource: Resource): string {
  return join(planPath(stateDir, planId), 'databases', resource.resourceId)
}
