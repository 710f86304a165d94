import { FailureError } from '../../domain/failure.ts'
import type { OpenDatabase } from './database.ts'
import { asFailure, withPatience } from './opening/busy.ts'
import { versionOf } from './opening/migrate.ts'
import { newerStore } from './opening/store-failures.ts'

export interface Transactions {
  run<Value>(work: () => Value): Value
  /** `work` inside the running transaction, or in one of its own. */
  join<Value>(work: () => Value): Value
  /** Calls `listener` after every outermost commit. */
  onCommit(listener: () => void): void
}

/** Immediate transactions; a nested one is all or nothing within the outer one. */
export function transactions({ db, file, version, patience }: OpenDatabase): Transactions {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const save = db.prepare('SAVEPOINT nested')
  const release = db.prepare('RELEASE nested')
  const undo = db.prepare('ROLLBACK TO nested')
  const listeners: (() => void)[] = []

  function run<Value>(work: () => Value): Value {
    return db.inTransaction ? nested(work) : outermost(work)
  }

  function outermost<Value>(work: () => Value): Value {
    withPatience(file, patience, () => begin.run())
    let value: Value
    try {
      refuseNewer()
      value = notWaiting(work())
      commit.run()
    } catch (error) {
      // SQLite ends the transaction by itself when, for example, the disk is full.
      if (db.inTransaction) rollback.run()
      throw asFailure(file, error)
    }
    for (const listener of listeners) listener()
    return value
  }

  function nested<Value>(work: () => Value): Value {
    save.run()
    try {
      const value = notWaiting(work())
      release.run()
      return value
    } catch (error) {
      if (db.inTransaction) {
        undo.run()
        release.run()
      }
      throw error
    }
  }

  /** A newer program may have upgraded the store while this one was running; from then on it only reads. */
  function refuseNewer(): void {
    const found = versionOf(db)
    if (found !== version) throw new FailureError(newerStore(file, found, version))
  }

  return {
    run,
    join: work => (db.inTransaction ? work() : outermost(work)),
    onCommit: listener => void listeners.push(listener),
  }
}

/** A promise would go on after the commit, with whatever another turn has begun by then. */
function notWaiting<Value>(value: Value): Value {
  if (value instanceof Promise) throw new Error('a transaction cannot wait for a promise')
  return value
}
