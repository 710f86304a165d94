/** PostgreSQL as a resource: one transaction of the server, seen beside what was committed when it began. */
import { ok, type Result } from '../../../domain/failure.ts'
import type { Resource } from '../../../domain/resource.ts'
import type { ApplyConflict } from '../../../domain/sandbox/strategy.ts'
import { type ObjectChange, type Row, tablePath } from '../row-changes.ts'
import type { TransactionDriver } from '../transaction-driver.ts'
import { compareDatabases } from './compare.ts'
import { type Connection, connect } from './connect.ts'
import { codeOf, isLoss } from './postgres-failure.ts'
import { quote } from './read-rows.ts'
import { runStatement } from './run-statement.ts'

export { failureOfPostgres } from './postgres-failure.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function openPostgres(resource: Resource, environment: Environment) {
  return {
    begin: () => begin(resource, environment),
    hasThem: (changes: readonly ObjectChange[]) => hasChanges(resource, environment, changes),
  }
}

async function begin(resource: Resource, environment: Environment): Promise<Result<TransactionDriver>> {
  const own = await connect(resource, environment)
  const committed = await connect(resource, environment).catch(async error => {
    await own.end()
    throw error
  })
  try {
    // What others change meanwhile must fail us, not be overwritten by us.
    await own.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const [[snapshot] = []] = (await own.query('SELECT pg_export_snapshot()')).rows
    await committed.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await committed.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`)
    return ok(driverOver(resource.name, own, committed))
  } catch (error) {
    await own.end()
    await committed.end()
    throw error
  }
}

function driverOver(resource: string, own: Connection, committed: Connection): TransactionDriver {
  let ended: string | null = null
  return {
    lost: async () => ended ?? own.lost() ?? (await stillThere(own)),
    run: (access, statement) => runStatement(own, { resource, access }, statement),
    savepoint: async name => void (await own.query(`SAVEPOINT ${quote(name)}`)),
    rollbackTo: async name => void (await own.query(`ROLLBACK TO ${quote(name)}`)),
    changes: () => compareDatabases(committed, own),
    obstacles: () => obstacles(resource, own),
    commit: async () => void (await own.query('COMMIT')),
    end: async () => {
      ended ??= 'it was ended'
      await own.end()
      await committed.end()
    },
  }
}

/** A server that restarted or ended the session is found out by asking for what only a transaction has. */
async function stillThere(own: Connection): Promise<string | null> {
  try {
    await own.query('SAVEPOINT there')
    await own.query('RELEASE there')
    return null
  } catch (error) {
    const code = codeOf(error)
    if (code === null) throw error
    if (isLoss(code)) return 'the server ended the connection or the transaction'
    throw error
  }
}

/** Rules that are only looked at in the end are looked at now. */
async function obstacles(resource: string, own: Connection): Promise<ApplyConflict[]> {
  await own.query('SAVEPOINT rules')
  try {
    await own.query('SET CONSTRAINTS ALL IMMEDIATE')
    await own.query('ROLLBACK TO rules')
    await own.query('RELEASE rules')
    return []
  } catch (error) {
    const code = codeOf(error)
    if (code === null || isLoss(code)) throw error
    await own.query('ROLLBACK TO rules')
    await own.query('RELEASE rules')
    const reason = error instanceof Error ? error.message : String(error)
    const path = tablePath(resource, 'constraints')
    return [{ path, kind: 'content', reason: `${resource}: ${reason}.` }]
  }
}

/**
 * Whether rows that a commit would have written are there, and those that it would have removed are not. Null when there
 * is no sign of it: what changed in the schema is not looked at, and rows without keys may be anybody's.
 */
async function hasChanges(
  resource: Resource,
  environment: Environment,
  changes: readonly ObjectChange[],
): Promise<boolean | null> {
  const connection = await connect(resource, environment)
  try {
    const signs = changes.filter(change => change.kind === 'table' && change.hasKeys)
    for (const change of signs)
      for (const { old, new: fresh } of change.rows) {
        if (fresh !== null && !(await hasRow(connection, change, fresh))) return false
        if (old !== null && (await hasRow(connection, change, old))) return false
      }
    return signs.some(change => change.rows.length > 0) ? true : null
  } finally {
    await connection.end()
  }
}

async function hasRow(connection: Connection, { name, columns }: ObjectChange, row: Row): Promise<boolean> {
  const where = columns.map((column, index) => `${quote(column)}::text IS NOT DISTINCT FROM $${index + 1}`)
  const values = row.map(cell => (cell === null || typeof cell === 'string' ? cell : String(cell)))
  const table = name.split('.').map(quote).join('.')
  const found = await connection.query(`SELECT 1 FROM ${table} WHERE ${where.join(' AND ')} LIMIT 1`, values)
  return found.rows.length > 0
}
