import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Result } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/resource.ts'
import type { SandboxSpec, SandboxStrategy, Unavailable } from '../../domain/sandbox/strategy.ts'
import type { DatabaseSandbox } from '../databases/database-sandbox.ts'
import { openCopy, releaseCopy } from '../databases/sqlite/copy-sandbox.ts'
import { loadSQLite } from '../databases/sqlite/load.ts'
import { planPath } from './store/plan-folder.ts'

export interface DatabaseStrategy extends SandboxStrategy {
  readonly resource: Resource
  /** What a person should know about working with it, before it is opened. */
  readonly notices: readonly string[]
  open(spec: DatabaseOpening, signal: AbortSignal): Promise<Result<DatabaseSandbox>>
  /** Whether the plan has used this database at all. */
  isUsed(planId: PlanId): boolean
}

export interface DatabaseOpening extends SandboxSpec {
  /** Where the copy of a database lies that is a file of the project. */
  readonly workFile?: string
}

/** One database as a resource of a plan. */
export function transactionRollback(stateDir: string, resource: Resource): DatabaseStrategy {
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
    unavailable: () => unavailable(resource),
    open: async spec => {
      const sqlite = await loadSQLite()
      if (!sqlite.ok) return sqlite
      const folderOf = (planId: PlanId) => databaseFolder(stateDir, planId, resource)
      return openCopy(sqlite.value, {
        planId: spec.planId,
        resource,
        folder: folderOf(spec.planId),
        folderOf,
        workFile: spec.workFile ?? null,
      })
    },
    isUsed: planId => existsSync(databaseFolder(stateDir, planId, resource)),
    release: planId => releaseCopy(databaseFolder(stateDir, planId, resource)),
    discard: planId => rm(databaseFolder(stateDir, planId, resource), { recursive: true, force: true }),
  }
}

async function unavailable(resource: Resource): Promise<Unavailable | null> {
  const sqlite = await loadSQLite()
  if (!sqlite.ok) return { reason: sqlite.failure.message, nextBest: null }
  const found = await stat(resource.location).catch(() => null)
  if (found?.isFile()) return null
  const reason = `There is no file ${resource.location}. Register the resource ${resource.name} anew with its present place.`
  return { reason, nextBest: null }
}

function databaseFolder(stateDir: string, planId: PlanId, resource: Resource): string {
  return join(planPath(stateDir, planId), 'databases', resource.resourceId)
}
