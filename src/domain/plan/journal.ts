/** What the run loop writes down before and after it acts, so that a crash loses nothing and repeats nothing. */
import type { ActorRequest, Outcome } from '../actor/actor.ts'
import type { DecisionType, Standing } from '../decision/decision.ts'
import type { AutomationGate } from '../gate/automation.ts'
import type {
  CheckpointId,
  CorrectionId,
  DecisionId,
  GateId,
  GrantId,
  PlanId,
  RequestId,
  StepId,
} from '../ids.ts'
import type { ChangeCounts } from '../sandbox/changeset.ts'
import type { RelPath } from '../sandbox/rel-path.ts'
import type { SandboxState } from '../sandbox/strategy.ts'

/** Where a plan's actor stands. One row a plan, replaced at every turn. */
export interface Cursor {
  readonly planId: PlanId
  readonly phase: 'strategize' | 'execute'
  /** Content hash of the actor's state after its last turn: what a correction of the pending decision resumes from. */
  readonly stateRef: string
  /** What it asked for and has not been answered; null = its next turn is due. */
  readonly pending: ActorRequest | null
  /** What the next turn is told. */
  readonly outcome: Outcome
  /** Counts turns over the whole plan; part of idempotency keys. */
  readonly turn: number
  /** Decision under which work is done now. */
  readonly decisionId: DecisionId | null
  /** That decision was kept through a correction: what was done under it is answered from the journal. */
  readonly underKept: boolean
  /** The sandbox as it was last recorded. */
  readonly sandboxState: SandboxState
  /** Written since then. */
  readonly written: readonly RelPath[] | 'unknown'
  /** The user's tree as it was when their edits were last brought in; null: as it was when the plan began. */
  readonly base: SandboxState | null
  /** The correction that this line of decisions came from; null before the first one. */
  readonly correction: { readonly correctionId: CorrectionId; readonly correctsDecisionId: DecisionId } | null
}

export interface Step {
  readonly stepId: StepId
  readonly planId: PlanId
  readonly attempt: number
  readonly phase: 'strategize' | 'execute' | 'apply'
  /** The actor's step path, e.g. `execute[3].then[0]`. */
  readonly path: string
  /**
   * adopt: work of a person became part of the plan. spawn: child plans run, from the first start to the last merge.
   * model: one answer of a model. finish: what an actor said it had done, and had not.
   */
  readonly kind: 'model' | 'tool' | 'validate' | 'ask' | 'apply' | 'restore' | 'adopt' | 'spawn' | 'finish'
  readonly tool: string | null
  readonly input: Readonly<Record<string, unknown>>
  readonly readOnly: boolean
  readonly decisionId: DecisionId | null
  /** Unique: the same request never makes two rows. */
  readonly idempotencyKey: string
  readonly status: StepStatus
  readonly outcome: Outcome | null
  readonly summary: string
  readonly read: readonly RelPath[] | 'unknown'
  readonly written: readonly RelPath[] | 'unknown'
  readonly authorisedAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** When a rollback took its work out of the sandbox: nothing is answered from it until that is taken back. */
  readonly takenBackAt: string | null
}

/** The path of the step that fills a new sandbox with dependencies. It is no request of the actor. */
export const SET_UP_PATH = 'set-up'

/** authorised = allowed but not begun; started without an end = interrupted once its process is gone. */
export type StepStatus = 'authorised' | 'started' | 'done' | 'failed' | 'interrupted' | 'refused'

export interface Checkpoint {
  readonly checkpointId: CheckpointId
  readonly planId: PlanId
  readonly decisionId: DecisionId | null
  readonly label: string
  readonly resource: string
  readonly state: SandboxState
  readonly createdAt: string
  readonly origin: CheckpointOrigin
}

export type CheckpointOrigin =
  /** Taken before the work of a decision. */
  | { readonly kind: 'decision'; readonly base: SandboxState | null }
  /** Taken before a rollback or a correction, which going back to it takes back. */
  | ({ readonly kind: 'safety' } & PlanMoment)

/** Where a plan stood, besides its sandbox. */
export interface PlanMoment {
  readonly cursor: Cursor
  readonly activeIds: readonly DecisionId[]
  /** Of those that a later correction may move. */
  readonly standings: readonly { readonly decisionId: DecisionId; readonly standing: Standing }[]
  /** The numbers of the stretches of work that held. */
  readonly line: readonly number[]
  /** The steps whose children had not all ended, as they stood. */
  readonly spawns: readonly Step[]
  readonly reversions: number
  readonly guidance: readonly string[]
  readonly changes: ChangeCounts | null
}

export interface Correction {
  readonly correctionId: CorrectionId
  readonly planId: PlanId
  readonly targetDecisionId: DecisionId
  readonly mode: 'revert' | 'append'
  readonly guidance: string
  readonly status: 'running' | 'done' | 'failed'
  readonly attempt: number
  readonly supersededIds: readonly DecisionId[]
  /** The plan that an append made; null for a revert. */
  readonly childPlanId: PlanId | null
  /** The sandbox as it was before the correction, so that the old result can be compared and brought back. */
  readonly safetyState: SandboxState | null
  readonly failure: string | null
  readonly createdAt: string
  readonly endedAt: string | null
}

/** A standing approval: never wider than the question it was given for. */
export interface Grant {
  readonly grantId: GrantId
  readonly scope:
    | { readonly kind: 'plan'; readonly planId: PlanId }
    | { readonly kind: 'profile'; readonly profile: string }
  readonly gate: AutomationGate | 'step_approval'
  readonly decisionType: DecisionType | null
  readonly tool: string | null
  readonly grantedBy: string
  readonly gateId: GateId
  readonly grantedAt: string
  readonly revokedAt: string | null
}

/** The right of one process to run one plan. */
export interface Lease {
  readonly planId: PlanId
  readonly holder: ProcessIdentity
  readonly takenAt: string
  readonly heartbeatAt: string
}

/** A process id alone is reused by the system; with the start time it names one process for ever. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startedAt: string
}

/**
 * Another process asks the owner of a plan to let go of it: at once (its step is aborted) or when the step has ended,
 * which pauses it. The owner answers by handing it the lease.
 */
export interface OwnerRequest {
  readonly requestId: RequestId
  readonly planId: PlanId
  readonly kind: 'yield_now' | 'yield_after_step'
  /** Who asks; nobody else is handed the lease, and a dead process is no longer served. */
  readonly by: ProcessIdentity
  readonly createdAt: string
  readonly takenAt: string | null
}
