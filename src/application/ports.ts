/**
 * What the use cases need from the outside, one noun a file in ports/. Infrastructure implements it, compose hands it in.
 * Store calls are synchronous and short; inside a transaction nothing waits.
 */
import type { ActorState } from '../domain/actor/actor.ts'
import type { ShellParser } from '../domain/guards/command/command-line.ts'
import type { IdSource } from '../domain/ids.ts'
import type { MatchesGlob } from '../domain/invariant/check-changes.ts'
import type { ActionLibrary, ActionRepository } from './ports/action.ts'
import type { Actors } from './ports/actor.ts'
import type { ConversationRepository, MessageTree, SessionRepository } from './ports/conversation.ts'
import type { DecisionRepository, WriteRepository } from './ports/decision.ts'
import type { EventLog } from './ports/event-log.ts'
import type { GateRepository, GrantRepository, JudgementRepository } from './ports/gate.ts'
import type { GuardrailRepository, Ledger } from './ports/guardrail.ts'
import type { InvariantRepository } from './ports/invariant.ts'
import type { Clock, Confinement, Diagnostics, Host } from './ports/machine.ts'
import type { Models } from './ports/model.ts'
import type { LeaseRepository, RequestRepository } from './ports/owner.ts'
import type { CursorRepository, PlanRepository, StepRepository, WorkRepository } from './ports/plan.ts'
import type { ProfileReader, ProfileRepository } from './ports/profile.ts'
import type { MetPathRepository, ProjectInspector, ProjectRepository } from './ports/project.ts'
import type { ResourceInspector, ResourceRepository } from './ports/resource.ts'
import type { CheckpointRepository, CorrectionRepository } from './ports/rollback.ts'
import type { Sandboxes } from './ports/sandbox.ts'
import type { Settings } from './ports/setting.ts'
import type { Outputs, Tools } from './ports/tool.ts'
import type { ValidationFiles, ValidationRepository } from './ports/validation.ts'

export interface Store {
  /**
   * Runs `work` in one immediate transaction; throws roll it back. Nested calls join the outer one. A store that stays
   * locked, a full disk or a newer store comes as a thrown FailureError.
   */
  transaction<Value>(work: () => Value): Value
  readonly plans: PlanRepository
  readonly decisions: DecisionRepository
  readonly gates: GateRepository
  readonly judgements: JudgementRepository
  readonly steps: StepRepository
  readonly cursors: CursorRepository
  readonly works: WorkRepository
  readonly writes: WriteRepository
  readonly metPaths: MetPathRepository
  readonly checkpoints: CheckpointRepository
  readonly corrections: CorrectionRepository
  readonly grants: GrantRepository
  readonly ledger: Ledger
  readonly guardrails: GuardrailRepository
  readonly actions: ActionRepository
  readonly profiles: ProfileRepository
  readonly projects: ProjectRepository
  readonly resources: ResourceRepository
  readonly validations: ValidationRepository
  readonly invariants: InvariantRepository
  readonly leases: LeaseRepository
  readonly requests: RequestRepository
  readonly conversations: ConversationRepository
  readonly messages: MessageTree
  readonly sessions: SessionRepository
  readonly events: EventLog
  /** Content-addressed JSON: actor states. */
  readonly blobs: { put(value: ActorState): string; get(ref: string): ActorState | null }
  close(): void
}

/** Everything a use case may need; each takes what it uses. */
export interface Ports {
  readonly store: Store
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly newId: IdSource
  readonly sandboxes: Sandboxes
  readonly tools: Tools
  readonly actors: Actors
  readonly models: Models
  readonly actions: ActionLibrary
  readonly profiles: ProfileReader
  readonly validations: ValidationFiles
  readonly inspector: ProjectInspector
  readonly resourceInspector: ResourceInspector
  readonly settings: Settings
  readonly host: Host
  readonly diagnostics: Diagnostics
  readonly outputs: Outputs
  /** What holds for the commands of plans here and now. */
  readonly confinement: () => Promise<Confinement>
  /** Whether a path is one that a pattern means, as in the tools; a pattern that leaves the project means none. */
  readonly matchesGlob: MatchesGlob
  /** Reads command lines; loaded when it is first asked for. */
  readonly shell: () => Promise<ShellParser>
  /** SHA-256 in hex; the domain stays free of crypto. */
  readonly digest: (text: string) => string
  readonly log: (message: string, facts?: Record<string, unknown>) => void
}
