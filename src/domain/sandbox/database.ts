/** How tools reach the databases of a plan: always through its sandbox, never the user's own. Begin with `Databases`. */
import type { Result } from '../failure.ts'
import type { RelPath } from './rel-path.ts'

export interface Databases {
  /** Names of the resources, as `builtin/query_database` takes them. */
  readonly names: readonly string[]
  /** Runs one statement that only reads. */
  query(name: string, statement: Statement): Promise<Result<StatementResult>>
  /** Runs one statement that may change rows and tables. */
  change(name: string, statement: Statement): Promise<Result<StatementResult>>
}

export interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | number | boolean | null)[]
  readonly maxRows: number
}

export interface StatementResult {
  readonly columns: readonly string[]
  /** JSON values: bytes as hex, integers beyond what JSON numbers hold as text. */
  readonly rows: readonly (readonly (string | number | null)[])[]
  /** There were more rows than asked for. */
  readonly isCut: boolean
  readonly changed: number
  /** What a person should know about it now, e.g. that it keeps others waiting. */
  readonly notice: string | null
  /** Tables as paths below the name of the resource. */
  readonly read: readonly RelPath[]
  readonly written: readonly RelPath[]
}
