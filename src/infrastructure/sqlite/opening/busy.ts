import SQLite from 'better-sqlite3'
import { type Failure, FailureError } from '../../../domain/failure.ts'
import { busyStore, damagedStore, fullDisk } from './store-failures.ts'

/** How long one statement waits for another process, and how often the whole is tried again. */
export interface Patience {
  readonly timeoutMs: number
  readonly attempts: number
}

export const PATIENCE: Patience = { timeoutMs: 2_000, attempts: 4 }

/**
 * Runs what needs the store's lock. SQLite waits by itself in most cases and answers "busy" at once in some (switching
 * to WAL, recovery): those are tried again after a short pause. In the end it throws a FailureError.
 */
export function withPatience<Value>(file: string, patience: Patience, work: () => Value): Value {
  for (let attempt = 1; ; attempt++) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || attempt >= patience.attempts) throw asFailure(file, error)
      pause(20 * attempt)
    }
  }
}

/** What SQLite says about its surroundings, as a refusal that people can act on; anything else as it is. */
export function asFailure(file: string, error: unknown): unknown {
  if (!(error instanceof SQLite.SqliteError)) return error
  const failure = failures[mainCode(error)]?.(file)
  return failure ? new FailureError(failure, { cause: error }) : error
}

const failures: Readonly<Record<string, (file: string) => Failure>> = {
  SQLITE_BUSY: busyStore,
  SQLITE_LOCKED: busyStore,
  SQLITE_CORRUPT: damagedStore,
  SQLITE_NOTADB: damagedStore,
  SQLITE_FULL: fullDisk,
}

function isBusy(error: unknown): boolean {
  return error instanceof SQLite.SqliteError && failures[mainCode(error)] === busyStore
}

/** SQLITE_BUSY_SNAPSHOT is a kind of SQLITE_BUSY. */
function mainCode({ code }: { readonly code: string }): string {
  return code.split('_').slice(0, 2).join('_')
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
