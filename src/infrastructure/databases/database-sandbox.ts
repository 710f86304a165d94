/** A database of a plan as the group of its sandboxes holds it: the contract of any sandbox, and a way in for tools. */
import type { Result } from '../../domain/failure.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Resource } from '../../domain/resource.ts'
import type { Statement, StatementResult } from '../../domain/sandbox/database.ts'
import type {
  ApplyReport,
  ApplyRequest,
  MergeReport,
  MergeSource,
  Sandbox,
} from '../../domain/sandbox/strategy.ts'

export interface DatabaseSandbox extends Sandbox {
  query(statement: Statement): Promise<Result<StatementResult>>
  change(statement: Statement): Promise<Result<StatementResult>>
  /** What `apply` would report, with nothing written. */
  check(request: ApplyRequest): Promise<Result<ApplyReport>>
  /** What `merge` would report, with nothing written. */
  checkMerge(source: MergeSource): Promise<Result<MergeReport>>
}

export interface DatabaseSpec {
  readonly planId: PlanId
  readonly resource: Resource
  /** Where the plan keeps what belongs to this database. Outside the project. */
  readonly folder: string
  /** The same place of another plan, for what is merged from there. */
  readonly folderOf: (planId: PlanId) => string
  /** Where the plan's copy lies when the database is a file of the project, so that commands find it there. */
  readonly workFile: string | null
}
