import type * as sqlite from 'node:sqlite'
import { ok, type Result, refuse } from '../../../domain/failure.ts'

export type SQLite = typeof sqlite

/**
 * Node's own SQLite: unlike the one under our store it has sessions, which write change sets, and an authorizer, which
 * guards statements. Loaded when the first database is used.
 */
export async function loadSQLite(): Promise<Result<SQLite>> {
  const loaded = await import('node:sqlite').catch(() => null)
  const isWhole =
    loaded !== null && typeof loaded.backup === 'function' && 'setAuthorizer' in loaded.DatabaseSync.prototype
  if (isWhole) return ok(loaded)
  return refuse(
    'not_available',
    `SQLite databases as resources need Node 24.10 or newer; this is ${process.version}.`,
  )
}
