import type { Failure, FailureCode } from '../../../domain/failure.ts'

/** The refusal an error of SQLite stands for; null for any other error, which is a bug. `what` names the database. */
export function sqliteFailure(error: unknown, what: string): Failure | null {
  if (!isSQLiteError(error)) return null
  const known = meanings[error.errcode & 0xff]
  const [code, words] = known ?? ['sandbox_failed', null]
  const message = words === null ? `${what}: ${error.message}.` : `${what} ${words} (${error.message}).`
  return { code, message, facts: { errcode: error.errcode } }
}

export function isSQLiteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

/** Result codes: https://www.sqlite.org/rescode.html */
const meanings: Readonly<Record<number, readonly [FailureCode, string]>> = {
  3: ['denied', 'may not be read'],
  5: ['transient', 'is locked by another program; close it or try again'],
  6: ['transient', 'is locked by another connection; try again'],
  8: ['denied', 'may not be written'],
  10: ['sandbox_failed', 'could not be read from or written to the disk'],
  11: ['sandbox_failed', 'is damaged'],
  13: ['disk_full', 'could not be written: the disk is full'],
  14: ['not_found', 'could not be opened'],
  26: ['invalid_input', 'is not a SQLite database'],
}
