/**
 * What the use cases need from the outside. Infrastructure implements it, compose hands it in.
 * Store calls are synchronous and short; inside a transaction nothing waits.
 */
import type { Action } from '../domain/action.ts'
import type { Actor, ActorState, ProjectBrief, ProjectCheck, ProjectContext } from '../domain/actor/actor.ts'
import type { Decision, DecisionStatus, Standing } from '../domain/decision/decision.ts'
import type { CommandWriters, DecisionWeb, Influence, WrittenPath } from '../domain/decision/influence.ts'
import type { Result } from '../domain/failure.ts'
import type { AutomationGate } from '../domain/gate/automation.ts'
import type { StatedBand } from '../domain/gate/calibration.ts'
import type { Gate } from '../domain/gate/gate.ts'
import type { Judgement } from '../domain/gate/judgement.ts'
import type { AuditCounters, AuditEntry } from '../domain/guardrails/audit.ts'
import type { Charge, Spending } from '../domain/guardrails/charge.ts'
import type { Excess } from '../domain/guardrails/limits.ts'
import type { RunningTime } from '../domain/guardrails/running-time.ts'
import type { ShellParser } from '../domain/guards/command/command-line.ts'
import type {
  AttachmentId,
  CheckpointId,
  CorrectionId,
  DecisionId,
  GateId,
  GrantId,
  IdSource,
  InvariantId,
  MessageId,
  PlanId,
  RequestId,
  StepId,
} from '../domain/ids.ts'
import type { MatchesGlob } from '../domain/invariant/check-changes.ts'
import type { Invariant } from '../domain/invariant/invariant.ts'
import type { InvariantReconciler } from '../domain/invariant/reconciler.ts'
import type { AssistantMessage, Message, OfferedTool } from '../domain/model/message.ts'
import type { Price, Usage } from '../domain/model/usage.ts'
import type {
  Checkpoint,
  Correction,
  Cursor,
  Grant,
  Lease,
  OwnerRequest,
  ProcessIdentity,
  Step,
} from '../domain/plan/journal.ts'
import type { Plan } from '../domain/plan/plan.ts'
import type { Work } from '../domain/plan/work.ts'
import type { AutomationProfile } from '../domain/profile/profile.ts'
import type { Resource, ResourceType } from '../domain/resource.ts'
import type { ChangeCounts } from '../domain/sandbox/changeset.ts'
import type { RelPath } from '../domain/sandbox/rel-path.ts'
import type { SandboxStrategy } from '../domain/sandbox/strategy.ts'
import type { Tool } from '../domain/tool.ts'
import type { FolderCommand, TrustGiven } from '../domain/trust.ts'
import type { Attachment, Validation } from '../domain/validation.ts'
import type { PlanEvent, PlanEventBody } from './events.ts'

/** The log is handed to infrastructure with what it keeps; nothing else of this layer is seen from there. */
export type { PlanEvent, PlanEventBody } from './events.ts'

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
  readonly events: EventLog
  /** Content-addressed JSON: actor states. */
  readonly blobs: { put(value: ActorState): string; get(ref: string): ActorState | null }
  close(): void
}

export interface PlanRepository {
  insert(plan: Plan): void
  /** Replaces the row. */
  update(plan: Plan): void
  find(planId: PlanId): Plan | null
  findByName(name: string): Plan | null
  /** Full id, unambiguous prefix, or the last 6 or more characters; at most 10 candidates. */
  match(reference: string): PlanId[]
  /** In the order in which their parent named them. */
  listChildren(planId: PlanId): Plan[]
  /** Children, their children and so on; a plan comes before its own children. */
  listDescendants(planId: PlanId): Plan[]
  /** The newest that is no child of another. */
  latest(): Plan | null
  /** Those of a session that have not ended. */
  listUnfinished(contextId: string): Plan[]
  /** Newest first. `limit`: top-level plans; their children come along. */
  list(filter: { phase?: string; state?: string; project?: string; limit: number }): Plan[]
}

export interface DecisionRepository {
  insert(decision: Decision): void
  setStatus(decisionIds: readonly DecisionId[], status: DecisionStatus): void
  setChanges(decisionId: DecisionId, changes: ChangeCounts): void
  setStanding(decisionId: DecisionId, standing: Standing): void
  find(decisionId: DecisionId): Decision | null
  match(reference: string, planId: PlanId | null): DecisionId[]
  findByNumber(planId: PlanId, number: number): Decision | null
  /** The latest one that holds. */
  findActiveByKey(planId: PlanId, key: string): Decision | null
  /** Those kept from before a correction that their actor has not come to again, in order of their places. */
  listKept(planId: PlanId): Decision[]
  /** In order of recording, superseded ones included. */
  listByPlan(planId: PlanId): Decision[]
  /** The last one before a place that an actor chose, holds and has come to. */
  findReachedBefore(planId: PlanId, place: number): Decision | null
  /** Those after a place that hold are kept until their actor comes to them again. */
  keepAfter(planId: PlanId, place: number): void
  nextNumber(planId: PlanId): number
  nextPlace(planId: PlanId): number
  /** Written twice, it is one. `refused`: kept to be told, and it counts for nothing. */
  addInfluence(planId: PlanId, influence: Influence, refused?: string): void
  influences(planId: PlanId): Influence[]
  web(planId: PlanId): DecisionWeb
  /** Those that end at a decision or begin there; of the refused ones only those that end there. */
  influencesAround(decisionId: DecisionId): InfluencesAround
  /** Whether what the first one shaped reaches the second one, over any number of edges. */
  reaches(from: DecisionId, to: DecisionId): boolean
  /** What became of the last 50 decisions of a type in a project, as far as it is known. */
  outcomes(projectName: string, decisionType: string): Outcomes
  /** Of all projects: what actors stated, in tenths, for decisions that passed without a person. */
  statedBands(): StatedBand[]
}

/** Good: no correction took it back, and its plan came as far as Apply. What is still open does not count yet. */
export interface Outcomes {
  readonly total: number
  readonly good: number
}

export interface JudgementRepository {
  insert(judgement: Judgement): void
  /** In order of recording. */
  listByPlan(planId: PlanId): Judgement[]
  /** What became of the last 50 operations at a gate in a project, as far as it is known. */
  outcomes(projectName: string, gate: AutomationGate): Outcomes
}

/** Which files of a project its plans have met, by reading or writing them. A plan and its children count as one. */
export interface MetPathRepository {
  add(projectName: string, rootPlanId: PlanId, paths: readonly RelPath[]): void
  /** Of a plan: how many it met, and how many of them an earlier plan had met. */
  counts(rootPlanId: PlanId): { readonly paths: number; readonly known: number }
}

export interface InfluencesAround {
  readonly upstream: readonly Influence[]
  readonly downstream: readonly Influence[]
  readonly refused: readonly { readonly influence: Influence; readonly reason: string }[]
}

export interface GateRepository {
  insert(gate: Gate): void
  /** Sets the status only if it is still open; false = somebody was faster. */
  close(gateId: GateId, status: Exclude<Gate['status'], { kind: 'open' }>): boolean
  find(gateId: GateId): Gate | null
  match(reference: string): GateId[]
  listByPlan(planId: PlanId): Gate[]
  listOpen(planId: PlanId | null): Gate[]
}

export interface StepRepository {
  /** False when the idempotency key exists. */
  insert(step: Step): boolean
  update(step: Step): void
  find(stepId: StepId): Step | null
  findByKey(idempotencyKey: string): Step | null
  listByPlan(planId: PlanId): Step[]
  /** Calls of tools and checks that began, at a path or below it. */
  countCalls(at: { planId: PlanId; attempt: number; path: string; exceptKey: string }): number
  /** In order of recording. */
  listByDecision(decisionId: DecisionId): Step[]
  /** The last one at that path under the decision whose work was not taken back. */
  lastUnder(decisionId: DecisionId, path: string): Step | null
  last(planId: PlanId): Step | null
  lastAt(planId: PlanId, path: string): Step | null
  /** Spawn steps that have not ended, oldest first. */
  listOpenSpawns(planId: PlanId): Step[]
  /** Runs of checks, in order. */
  listChecks(planId: PlanId): Step[]
  /** Each tool that was called, once with and once without the network. */
  toolsUsed(planId: PlanId): { readonly tool: string; readonly network: boolean }[]
}

/** Which decision wrote which path. Only decisions that hold are named. */
export interface WriteRepository {
  addPaths(planId: PlanId, decisionId: DecisionId, paths: readonly RelPath[]): void
  /** It ran a command, which may have read anything. */
  addCommand(planId: PlanId, decisionId: DecisionId): void
  lastWriter(planId: PlanId, path: RelPath): DecisionId | null
  /** Every path that begins so, with its last writer. */
  writtenBelow(planId: PlanId, prefix: string): WrittenPath[]
  /** What a command that runs now may read. */
  beforeCommand(planId: PlanId): CommandWriters
}

export interface CursorRepository {
  put(cursor: Cursor): void
  get(planId: PlanId): Cursor | null
  /** The next turn starts its phase from the beginning. */
  remove(planId: PlanId): void
}

/** The line of work of each plan, and what left it. */
export interface WorkRepository {
  /** Adds a stretch at the end of the plan's line. */
  add(work: Omit<Work, 'seq'>): Work
  extend(planId: PlanId, seq: number, end: Pick<Work, 'to' | 'base'>): void
  /** The end of the line; null while nothing was done. */
  last(planId: PlanId): Work | null
  /** The line, in order. */
  listPresent(planId: PlanId): Work[]
  /** Makes these the line. The others stay on record. */
  setPresent(planId: PlanId, seqs: readonly number[]): void
  /** What was done under a decision, as it holds or, where nothing of it does, as it last did. */
  listByDecision(decisionId: DecisionId): Work[]
}

export interface CheckpointRepository {
  insert(checkpoint: Checkpoint): void
  find(checkpointId: CheckpointId): Checkpoint | null
  match(reference: string, planId: PlanId): CheckpointId[]
  listByPlan(planId: PlanId): Checkpoint[]
}

export interface CorrectionRepository {
  put(correction: Correction): void
  find(correctionId: CorrectionId): Correction | null
  match(reference: string, planId: PlanId): CorrectionId[]
  listByPlan(planId: PlanId): Correction[]
}

export interface GrantRepository {
  insert(grant: Grant): void
  revoke(grantId: GrantId, at: string): boolean
  find(grantId: GrantId): Grant | null
  match(reference: string): GrantId[]
  /** With a plan: those that reach it, its own and those of its profile; revoked ones included. */
  list(planId: PlanId | null): Grant[]
}

/** What calls cost. Amounts are exact to a billionth of a dollar. */
export interface Ledger {
  /** False when that call has a row already. */
  reserve(charge: Charge): boolean
  /** False when it was not reserved any more. */
  close(key: string, state: 'settled' | 'released', usd: number): boolean
  /** In order of recording. */
  ofStep(stepKey: string): Charge[]
  reserved(planId: PlanId): Charge[]
  spentByPlan(planId: PlanId): Spending
  /** By a plan and those below it. */
  spentBelow(planId: PlanId): Spending
  spentInSession(sessionId: string): Spending
  spentUnderProfile(profile: string): Spending
  spentInMonth(month: string): Spending
}

/** How far plans have come against their limits. */
export interface GuardrailRepository {
  steps(planId: PlanId): number
  addStep(planId: PlanId): void
  runningTime(planId: PlanId): RunningTime
  setRunningTime(planId: PlanId, time: RunningTime): void
  /** Written once for each key and type; the oldest entries leave a trail that is full, and stay counted. */
  addEntry(planId: PlanId, checkKey: string, entry: AuditEntry): void
  /** Oldest first. */
  entries(planId: PlanId): AuditEntry[]
  counters(planId: PlanId): AuditCounters
  addCall(planId: PlanId, call: string, result: string, hasWritten: boolean): void
  /** The limit that a plan of the session met while it holds the others up; null when none does. */
  sessionExcess(sessionId: string): Excess | null
  setSessionExcess(sessionId: string, excess: Excess | null): void
  /** How often a call had the same result since something new was written: the highest such number. */
  equalCalls(planId: PlanId, call: string): number
}

export interface ActionRepository {
  put(action: Action, text: string): void
  find(name: string): Action | null
  list(): Action[]
}

/** A profile of the user's own. */
export interface RegisteredProfile {
  readonly name: string
  readonly profile: AutomationProfile
  /** What it was read from. */
  readonly text: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ProfileRepository {
  put(registered: RegisteredProfile): void
  find(name: string): RegisteredProfile | null
  list(): RegisteredProfile[]
  remove(name: string): void
}

export interface ParsedProfile {
  readonly profile: AutomationProfile
  /** Sentences with their places: what is taken, and may surprise. */
  readonly notices: readonly string[]
}

export interface Project extends TrustGiven {
  readonly name: string
  /** Absolute, links resolved. */
  readonly root: string
  readonly resource: 'git-checkout' | 'fs-directory'
  readonly automationProfile: string | null
  /** What fills a new sandbox with dependencies, before its first command. */
  readonly setUp: SetUp | null
}

export interface SetUp {
  readonly command: string
  /** A person allowed it the network, for all plans of the project. */
  readonly network: boolean
}

export interface ProjectRepository {
  put(project: Project): void
  find(name: string): Project | null
  findByRoot(root: string): Project | null
  list(): Project[]
}

export interface ResourceRepository {
  put(resource: Resource): void
  find(name: string): Resource | null
  list(): Resource[]
  remove(resource: Resource): void
  /** Harmless when repeated. */
  link(projectName: string, resource: Resource): void
  unlink(projectName: string, resource: Resource): void
  listByProject(projectName: string): Resource[]
  /** Names of the projects it is linked to. */
  projectsOf(resource: Resource): string[]
}

export interface ValidationRepository {
  put(validation: Validation): void
  find(name: string): Validation | null
  list(): Validation[]
  attach(attachment: Attachment): void
  detach(attachmentId: AttachmentId): void
  findAttachment(attachmentId: AttachmentId): Attachment | null
  matchAttachment(reference: string): AttachmentId[]
  /** In the order in which they were made. */
  listAttachments(): Attachment[]
}

/** Reads validations, and what their transforms make of a tool's output. */
export interface ValidationFiles {
  parse(text: string, file: string): Result<Validation>
  transform(transform: string, output: Readonly<Record<string, unknown>>): Result<unknown>
}

/** Looks whether a place holds a database of that type, and names it for good. Passwords are refused, never kept. */
export interface ResourceInspector {
  inspect(type: ResourceType, location: string): Promise<Result<string>>
  /** Why it cannot be reached now, in one sentence; null when it can. Whether it may be read is another matter. */
  reach(resource: Resource): Promise<string | null>
}

export interface InvariantRepository {
  insert(invariant: Invariant): void
  remove(invariantId: InvariantId): void
  find(invariantId: InvariantId): Invariant | null
  match(reference: string): InvariantId[]
  /** In the order in which they were stated. */
  list(): Invariant[]
  /** Those of one scope; `subject` is the name or id it is about, null for all plans. */
  listFor(scope: Invariant['scope']['kind'], subject: string | null): Invariant[]
}

export interface LeaseRepository {
  get(planId: PlanId): Lease | null
  list(): Lease[]
  put(lease: Lease): void
  remove(planId: PlanId, holder: ProcessIdentity): void
}

export interface RequestRepository {
  insert(request: OwnerRequest): void
  /** Untaken requests for plans that `holder` has a lease on, oldest first. */
  listFor(holder: ProcessIdentity): OwnerRequest[]
  take(requestId: RequestId, at: string): void
}

/** A task that is no plan yet: a message that started nothing. */
export interface Conversation {
  readonly taskId: string
  readonly contextId: string
  readonly state: 'input-required' | 'canceled'
  readonly messages: readonly unknown[]
  readonly createdAt: string
}

export interface ConversationRepository {
  put(conversation: Conversation): void
  find(taskId: string): Conversation | null
  list(limit: number): Conversation[]
}

/** What was said between us and models; see domain/model/message.ts. */
export interface MessageTree {
  /** Below one another; returns the id of the last, or `after` where there are none. Said twice, it is one. */
  append(thread: string, after: MessageId | null, messages: readonly Message[]): MessageId | null
  /** From the first one to `head`. Throws where it is not there. */
  path(head: MessageId): Message[]
  removeThread(thread: string): void
}

export interface EventLog {
  /** Inside the transaction that makes it true. Listeners hear it after the commit. */
  append(planId: PlanId, rootPlanId: PlanId, body: PlanEventBody): PlanEvent
  lastSeq(): number
  read(afterSeq: number, limit: number, planId?: PlanId): PlanEvent[]
  /** Called after every commit that added events, by this process or, within the poll time, by another. */
  onChange(listener: () => void): () => void
}

export interface Clock {
  /** ISO 8601, UTC. */
  now(): string
  /** Resolves after `ms`; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export interface Sandboxes {
  /** Those that this program has for a folder, in the order in which they are offered. */
  list(): readonly SandboxStrategy[]
  /**
   * For the folder, together with the databases that belong to the plan. Refuses a name that it does not know, with
   * the nearest, and one that it knows and does not have.
   */
  strategy(name: string, resources?: readonly Resource[]): Result<SandboxStrategy>
  /** The way to work with a resource, and what it protects and what not. */
  forResource(resource: Resource): SandboxStrategy
  /** Whether anything of a plan's sandbox is there; opening one of which nothing is would make it anew. */
  isRecorded(planId: PlanId): boolean
  /**
   * Finishes what dead processes left undone in plan folders, and names what it removed. Never a state, nor the work of
   * a plan that has not ended, nor anything of a plan that is not known here.
   */
  sweep(isKnown: (planId: PlanId) => boolean): Promise<readonly string[]>
  /** Plan folders that belong to no known plan. They stay until a person deletes them: work may be in them. */
  listUnknown(isKnown: (planId: PlanId) => boolean): Promise<readonly string[]>
}

export interface Tools {
  list(): readonly Tool[]
  find(name: string): Tool | null
}

export interface Actors {
  list(): readonly { readonly name: string; readonly description: string; readonly available: boolean }[]
  /** The actor of an action for one phase. Refuses with not_available where a model would be needed. */
  forAction(action: Action, phase: 'strategize' | 'execute'): Result<Actor>
  /** Who settles which invariants hold for the plans of an action. */
  reconcilerFor(action: Action): Result<InvariantReconciler>
}

/** The providers of models, loaded when they are used. */
export interface Models {
  /** Those that are configured or have a key, and those that are known and lack one. */
  providers(): readonly ModelProvider[]
  /** What a name stands for: `model` is the default. Refuses with how to get going where there is none. */
  resolve(name: string): Result<string>
  facts(model: string): ModelFacts
  /** The names that the provider's server lists. */
  list(provider: string, signal: AbortSignal): Promise<Result<readonly string[]>>
  /**
   * One answer. Tries once: a failure that another try may pass is `transient`, with `retry_after_ms` where the server
   * said how long to wait; one of too long a history has the fact `reason: 'context_length'`.
   */
  call(call: ModelCall, hands: ModelHands): Promise<Result<ModelReply>>
}

export interface ModelProvider {
  /** The prefix of its models' names, e.g. `openai`. */
  readonly name: string
  readonly kind: 'openai' | 'anthropic' | 'google' | 'openai_compatible'
  /** Where requests go. */
  readonly endpoint: string
  /** Where its key comes from, never the key: `OPENAI_API_KEY`, a file, or null where it needs none. */
  readonly keyFrom: string | null
  /** Why it cannot be used, and what to do; null when it can. */
  readonly problem: string | null
}

export interface ModelFacts {
  /** How much it reads and writes in one call. */
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** Null where nobody told what it costs. */
  readonly price: Price | null
}

export interface ModelCall {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  readonly maxOutputTokens: number
}

export interface ModelHands {
  readonly signal: AbortSignal
  /** What the model writes, as it arrives. */
  readonly onPart: (part: {
    readonly kind: 'text' | 'reasoning' | 'tool_call'
    readonly text: string
  }) => void
}

export interface ModelReply {
  readonly message: AssistantMessage
  readonly usage: Usage
}

/** Built-in actions and the parser for registered ones. */
export interface ActionLibrary {
  builtIn(): readonly Action[]
  /** `registered`: what it may start as child plans, besides the built-in ones and itself. */
  parse(text: string, file: string, registered: readonly Action[]): Result<Action>
  /** Why an action cannot be used now, in one sentence; null when it can. */
  unavailable(action: Action): string | null
}

/** Reads profiles that people wrote. `all`: one that leaves a threshold out is refused. */
export interface ProfileReader {
  parse(source: {
    readonly file: string
    readonly text: string
    readonly thresholds: 'some' | 'all'
  }): Result<ParsedProfile>
}

export interface ProjectInspector {
  /** Real absolute path of an existing folder, and what it is. */
  inspect(folder: string): Promise<Result<FolderFacts>>
  /** Why a folder cannot be reached, in one sentence; null when it can. */
  reach(folder: string): Promise<string | null>
  brief(project: Project): Promise<ProjectBrief>
  /** Everything that would run because the folder, or the set-up step named for it, says so. Nothing is run. */
  wouldRun(project: Project): Promise<readonly FolderCommand[]>
  /** Why a check of that project cannot run in `root` (dependencies missing, no such program); null when it can. */
  notRunnable(root: string, check: ProjectCheck, project: string): Promise<string | null>
  /** The folder of a Python environment at the top of `root`, which names absolute paths; null where there is none. */
  virtualEnvironment(root: string): Promise<string | null>
  /** What a model is told of a project, as it lies in `root`: within `maxTokens`, and without hidden characters. */
  context(root: string, maxTokens: number): Promise<ProjectContext>
  /** A small real repository in a temporary folder with something to work on. */
  createDemo(): Promise<{ readonly folder: string }>
}

export interface FolderFacts {
  readonly root: string
  readonly resource: 'git-checkout' | 'fs-directory'
  readonly branch: string | null
}

export interface Settings {
  /** Refuses an unknown key, and a value that is not allowed, naming where it stands. */
  get(key: string, project: string | null): Result<Setting>
  /** Every setting, and with its problem whatever else stands in the file. */
  list(project: string | null): readonly Setting[]
  /** Writes the user's file; the setting comes back as it holds now, which a stronger source may decide. */
  set(key: string, value: unknown, project: string | null): Result<Setting>
}

export interface Setting {
  readonly key: string
  readonly value: unknown
  readonly source: 'default' | 'file' | 'project' | 'environment' | 'flag'
  readonly description: string
  /** Why what was set has no effect; null when all is well. */
  readonly problem: string | null
}

export interface Host {
  readonly process: ProcessIdentity
  isAlive(process: ProcessIdentity): boolean
  readonly dataDir: string
  /** Who answers gates here, e.g. the login name. */
  readonly user: string
}

export interface Diagnostics {
  run(folder: string | null): Promise<readonly DiagnosticCheck[]>
}

/** Files that a plan's steps left, e.g. the whole output of a command. */
export interface Outputs {
  list(planId: PlanId): Promise<readonly OutputFile[]>
}

export interface OutputFile {
  readonly name: string
  readonly kind: string
  readonly bytes: number
  readonly path: string
}

export interface DiagnosticCheck {
  readonly name: string
  /** info: good to know, and nothing that is well or not. */
  readonly status: 'ok' | 'warn' | 'error' | 'info'
  readonly message: string
  /** What to do about it; null where there is nothing to do. */
  readonly remedy: string | null
}

export interface Confinement {
  readonly kind: 'bubblewrap' | 'none'
  /** The whole sentence for people. */
  readonly notice: string
  /** The user switched it off; it is not missing. */
  readonly isSwitchedOff: boolean
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
