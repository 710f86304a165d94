import { ok, type Result, refuse } from '../../../domain/failure.ts'
import type { Statement, StatementResult } from '../../../domain/sandbox/database.ts'
import type { RelPath } from '../../../domain/sandbox/rel-path.ts'
import { jsonCell } from '../statement-rows.ts'
import type { Answer, Connection } from './connect.ts'
import { codeOf, failureOfPostgres, isLoss } from './postgres-failure.ts'
import { cellOf } from './read-rows.ts'

/**
 * Runs one statement in a savepoint of its own: after an error the server refuses everything until it is gone back to.
 * A query is taken back whatever it did.
 */
export async function runStatement(
  connection: Connection,
  { resource, access }: { readonly resource: string; readonly access: 'query' | 'change' },
  statement: Statement,
): Promise<Result<StatementResult>> {
  const denied = reasonAgainst(statement.sql)
  if (denied !== null) return refuse('denied', `The statement was not run: ${denied}.`)
  await connection.query('SAVEPOINT step')
  try {
    if (access === 'query') await connection.query('SET LOCAL transaction_read_only = on')
    const answer = await connection.query(statement.sql, statement.parameters)
    if (access === 'query') await connection.query('ROLLBACK TO step')
    await connection.query('RELEASE step')
    return ok(resultOf(resource, access, answer, statement.maxRows))
  } catch (error) {
    return refuseStatement(connection, resource, error)
  }
}

/** The first word tells; what the server itself refuses inside a transaction is left to it. */
function reasonAgainst(sql: string): string | null {
  const word = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*([a-z]*)/i.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (word === '') return 'it is empty'
  if (['set', 'reset', 'discard', 'listen', 'unlisten', 'copy', 'lock'].includes(word))
    return `${word.toUpperCase()} is not allowed here`
  const ends = ['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'prepare']
  return ends.includes(word) ? 'transactions belong to the plan; its checkpoints take their place' : null
}

/** The server does not say which tables a statement touches, so it is the database as a whole. */
function resultOf(
  resource: string,
  access: 'query' | 'change',
  answer: Answer,
  maxRows: number,
): StatementResult {
  const whole = [resource as RelPath]
  const rows = answer.rows
    .slice(0, maxRows)
    .map(row => row.map((text, index) => jsonCell(cellOf(text, answer.columns[index]?.type ?? 0))))
  return {
    columns: answer.columns.map(column => column.name),
    rows,
    isCut: answer.rows.length > maxRows,
    changed: answer.changed,
    notice: null,
    read: whole,
    written: access === 'change' ? whole : [],
  }
}

async function refuseStatement(
  connection: Connection,
  resource: string,
  error: unknown,
): Promise<Result<never>> {
  const code = codeOf(error)
  if (code === null || isLoss(code)) throw error
  await connection.query('ROLLBACK TO step')
  await connection.query('RELEASE step')
  const message = error instanceof Error ? error.message : String(error)
  if (code === '25006')
    return refuse('denied', 'The statement was not run: it writes; use builtin/change_database.')
  if (code === '25001') return refuse('denied', `The statement was not run: ${message}.`)
  if (['40001', '40P01', '53100', '55P03'].includes(code)) {
    const failure = failureOfPostgres(error, `The database ${resource}`)
    if (failure) return { ok: false, failure }
  }
  return refuse('invalid_input', `The database ${resource} refused the statement: ${message}.`, {
    sqlstate: code,
  })
}
