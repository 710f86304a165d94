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
  SandboxState,
} from '../../domain/sandbox/strategy.ts'

export interface DatabaseSandbox extends Sandbox {
  apply(request: DatabaseApply, signal: AbortSignal): Promise<Result<ApplyReport>>
  query(statement: Statement): Promise<Result<StatementResult>>
  change(statement: Statement): Promise<Result<StatementResult>>
  /** What `apply` would report, with nothing written. */
  check(request: ApplyRequest): Promise<Result<ApplyReport>>
  /** The state that another plan began with this database; null where it never did. */
  baselineIn(planId: PlanId): Promise<SandboxState | null>
  /** What `merge` would report, with nothing written. */
  checkMerge(source: MergeSource): Promise<Result<MergeReport>>
}

export interface DatabaseOrigin {
  readonly planId: PlanId
  readonly state: SandboxState | null
}

export interface DatabaseApply extends ApplyRequest {
  /** Told right before the commit where an undo would lead: to what the database has of the plan without this apply. */
  readonly note?: NoteUndo
}

export type NoteUndo = (undoTo: SandboxState) => Promise<void>

export interface DatabaseSpec {
  readonly planId: PlanId
  readonly resource: Resource
  /** Where the plan keeps what belongs to this database. Outside the project. */
  readonly folder: string
  /** The same place of another plan, for what is merged from there. */
  readonly folderOf: (planId: PlanId) => string
  /** Where a child begins; without a state, where its parent began with this database. */
  readonly startsFrom?: DatabaseOrigin
  /** Where the plan's copy lies when the database is a file of the project, so that commands find it there. */
  readonly workFile: string | null
  /** Folders like `folder`, of sandboxes before this one, whose states can be compared. */
  readonly earlier: readonly string[]
}
