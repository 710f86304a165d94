import type SQLite from 'better-sqlite3'

/** What a repository works with. */
export interface Connection {
  readonly db: SQLite.Database
  /** Runs a write inside the running transaction, else in one of its own, with the same patience and refusals. */
  write<Value>(work: () => Value): Value
}
