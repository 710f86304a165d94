import type { Result } from '../../domain/failure.ts'
import type { Statement, StatementResult } from '../../domain/sandbox/database.ts'
import type { ApplyConflict } from '../../domain/sandbox/strategy.ts'
import type { ObjectChange } from './row-changes.ts'

/** One open transaction on the user's own database. Whatever kind that is, the sandbox over it is the same. */
export interface TransactionDriver {
  /** Why the transaction is no more; null while it is open. */
  lost(): Promise<string | null>
  run(access: 'query' | 'change', statement: Statement): Promise<Result<StatementResult>>
  savepoint(name: string): Promise<void>
  rollbackTo(name: string): Promise<void>
  /** What differs from the database as everybody else sees it. */
  changes(): Promise<ObjectChange[]>
  /** What would make a commit fail; a transaction that is in order has none. */
  obstacles(): Promise<ApplyConflict[]>
  commit(): Promise<void>
  /** Ends the transaction, taking everything in it back, and the connection. */
  end(): Promise<void>
}
