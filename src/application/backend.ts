/** The use cases as the protocol server sees them: what goes in, what comes out. Built in build-backend.ts. */
import type { Action } from '../domain/action.ts'
import type { Decision } from '../domain/decision/decision.ts'
import type { Influence } from '../domain/decision/influence.ts'
import type { Result } from '../domain/failure.ts'
import type { Calibration } from '../domain/gate/calibration.ts'
import type { ChosenPart, Gate, GateAnswer } from '../domain/gate/gate.ts'
import type { Limits } from '../domain/guardrails/limits.ts'
import type { DecisionId, PlanId } from '../domain/ids.ts'
import type { ActiveInvariant } from '../domain/invariant/invariant.ts'
import type { Checkpoint, Correction, Grant, ProcessIdentity, Step } from '../domain/plan/journal.ts'
import type { Position } from '../domain/plan/lifecycle.ts'
import type { Plan } from '../domain/plan/plan.ts'
import type { GatePreview } from '../domain/profile/preview.ts'
import type { AutomationProfile, ProfileSource } from '../domain/profile/profile.ts'
import type { SafetySources } from '../domain/profile/safety.ts'
import type { Resource } from '../domain/resource.ts'
import type { ChangeCounts, ChangedFile, ChangeSet } from '../domain/sandbox/changeset.ts'
import type { PickedFile } from '../domain/sandbox/pick-hunks.ts'
import type { RestoredPath, SandboxStrategyName } from '../domain/sandbox/strategy.ts'
import type { Tool } from '../domain/tool.ts'
import type { FolderCommand, TrustStanding } from '../domain/trust.ts'
import type { Attachment } from '../domain/validation.ts'
import type { DecisionLog } from './decision-log/gather-log.ts'
import type { LimitFacts } from './guardrails/limit-facts.ts'
import type { AuditFilter, PlanAudit } from './guardrails/plan-audit.ts'
import type { ChangeGuards, PlanGuards } from './guards/change-guards.ts'
import type { GuardTest, TestGuards } from './guards/test-guards.ts'
import type { InvariantPlaces, NewInvariant, StatedEntry } from './invariant/state-invariants.ts'
import type { SandboxFacts } from './plan/sandbox-facts.ts'
import type { Conversation } from './ports/conversation.ts'
import type { EventLog } from './ports/event-log.ts'
import type { DiagnosticCheck } from './ports/machine.ts'
import type { ParsedProfile, ProfileReader } from './ports/profile.ts'
import type { FolderFacts, Project, SetUp } from './ports/project.ts'
import type { Setting } from './ports/setting.ts'
import type { NewResource } from './project/resources.ts'
import type { AttachValidation, ValidationDetails } from './validation/manage-validations.ts'

export interface PlanDetails {
  readonly plan: Plan
  /** Its own and those of the plans below it. */
  readonly openGates: readonly Gate[]
  readonly children: readonly Plan[]
  /** The child whose question or pause it waits for. */
  readonly waitsFor: Plan | null
  readonly limits: LimitFacts
  readonly changes: ChangeCounts | null
  readonly notices: readonly string[]
  readonly sandbox: SandboxFacts
  readonly runner: ProcessIdentity | null
  /** The plan that takes, or took, its applied changes back. */
  readonly takenBackBy: Plan | null
}

export interface UseAction {
  readonly actionName: string
  readonly projects: readonly string[]
  /** Where the client was started; used when no project is named. */
  readonly folder: string | null
  readonly args: Readonly<Record<string, unknown>>
  readonly automationProfile: string | null
  /** By name, or `auto`; null: what the settings say. */
  readonly sandbox: string | null
  readonly invariants: readonly string[]
  /** Tighter limits than those of the action and the settings. */
  readonly limits: Partial<Limits>
  readonly name: string | null
  readonly contextId: string | null
  readonly trust: boolean
  /** Whether somebody is there to answer. */
  readonly isAttended: boolean
}

export interface AnswerGate {
  readonly planRef: string
  /** May be left out when exactly one gate of the plan is open. */
  readonly gateRef: string | null
  readonly digest: string | null
  readonly answer: GateAnswer
  readonly by: string
}

export interface CorrectDecision {
  readonly decisionRef: string | null
  readonly planRef: string | null
  readonly mode: 'revert' | 'append' | null
  readonly guidance: string
  readonly action: string | null
  readonly dryRun: boolean
  /** Digest of the preview that was confirmed; null = confirm whatever the impact is now. */
  readonly digest: string | null
}

/** Another decision, or a plan, that depends on one or that it depends on. */
export interface Relation {
  readonly planId: PlanId
  /** Null for a plan. */
  readonly decisionId: DecisionId | null
  readonly number: number | null
  /** The decision's question, or the plan's name. */
  readonly title: string
  readonly origin: Influence['origin']
  readonly why: string
}

export interface DecisionMention {
  readonly decisionId: DecisionId
  readonly number: number
  readonly question: string
  readonly why: string
}

/** What a rollback or a correction does to the sandbox, in the three groups that people see before it acts. */
export interface RestoreGroups {
  readonly restored: readonly RestoredPath[]
  readonly leftAlone: readonly NamedReason[]
  readonly cannotRestore: readonly NamedReason[]
}

export interface NamedReason {
  readonly what: string
  readonly why: string
}

export interface Impact extends RestoreGroups {
  readonly decisions: readonly DecisionMention[]
  readonly plans: readonly CancelledChild[]
  readonly kept: readonly DecisionId[]
  readonly tier: 'full' | 'phase' | 'none'
  readonly warnings: readonly string[]
  readonly gatesAgain: readonly string[]
  /** Sentences: what ran under these decisions and reached beyond the sandbox. */
  readonly irreversible: readonly string[]
  readonly digest: string
}

export interface CancelledChild {
  readonly planId: PlanId
  readonly name: string
  readonly position: Position
  readonly becomes: 'cancelled'
}

export interface CorrectionOutcome {
  readonly plan: Plan
  readonly targetDecisionId: DecisionId
  readonly mode: 'revert' | 'append'
  readonly guidance: string
  readonly impact: Impact
  /** Null for a preview. */
  readonly correction: Correction | null
}

export interface Tree {
  readonly plan: Plan
  /** All plans below it. */
  readonly plans: readonly Plan[]
  readonly decisions: readonly Decision[]
  readonly influences: readonly Influence[]
}

export interface Explanation {
  readonly decision: Decision
  readonly plan: Plan
  readonly arithmetic: readonly string[]
  /** kept: from before a correction, and its actor has not come to it again. */
  readonly standing: 'reached' | 'kept'
  readonly upstream: readonly Relation[]
  readonly downstream: readonly Relation[]
  /** Edges into it that would have closed a circle. */
  readonly notCounted: readonly (Relation & { readonly reason: string })[]
  readonly steps: readonly Step[]
  readonly files: readonly ChangedFile[]
}

export interface Diff {
  readonly planId: PlanId
  readonly part: DiffPart
  /** What the two sides are, for people. */
  readonly titles: DiffTitles
  readonly changeSet: ChangeSet
  readonly patch: Uint8Array
}

/** Of a plan's changes: those not in the user's files yet, those that are, or both. */
export type DiffPart = 'left' | 'applied' | 'all'

export interface DiffTitles {
  readonly old: string
  readonly new: string
}

export interface DiffRequest {
  readonly planRef: string
  /** Null: what is left while a part is applied, else everything. Only for the diff of a plan as a whole. */
  readonly part: DiffPart | null
  readonly decisionRef: string | null
  readonly correctionRef: string | null
  /** Another plan on the same project, whose result is the new side. */
  readonly againstRef: string | null
  readonly stat: boolean
}

export interface Artifact {
  readonly name: string
  readonly kind: string
  readonly bytes: number
  readonly path: string | null
}

export interface ActionEntry {
  readonly action: Action
  readonly origin: 'built-in' | 'registered'
  readonly unavailable: string | null
}

export type ProfileText = Parameters<ProfileReader['parse']>[0]

export interface DeletedProfile {
  readonly profile: AutomationProfile
  /** Who names it still, for people. */
  readonly namedBy: readonly string[]
  /** Approvals for all its plans that ended with it. */
  readonly revokedGrants: number
}

export interface PreviewProfile {
  readonly actionName: string
  readonly automationProfile: string | null
  /** A registered name or a folder. */
  readonly project: string | null
}

/** A plan's profile as it holds for it. */
export interface PlanProfile {
  readonly profile: AutomationProfile
  readonly source: ProfileSource
  readonly safetySources: SafetySources
}

export interface ProfilePreview extends PlanProfile {
  readonly action: string
  readonly gates: readonly GatePreview[]
  /** Sentences: what else waits, whatever the confidence. */
  readonly also: readonly string[]
}

export interface SetPlanProfile {
  readonly planRef: string
  readonly name: string
  readonly reason: string
  readonly by: string
}

export interface ResourceDetails {
  readonly resource: Resource
  readonly projects: readonly string[]
  readonly strategy: SandboxStrategyName
  readonly protects: readonly string[]
  readonly doesNotProtect: readonly string[]
}

export interface ProjectDetails {
  readonly project: Project
  /** Names of the resources that are linked to it beside its folder. */
  readonly resources: readonly string[]
  readonly facts: FolderFacts
  readonly languages: readonly string[]
  readonly checks: readonly { readonly name: string; readonly command: string; readonly kind: string }[]
  /** What trust in the folder lets run, as it is now. */
  readonly wouldRun: readonly FolderCommand[]
  readonly trust: TrustStanding
  /** What a yes to exactly this list names. */
  readonly trustDigest: string
}

export interface RollBack {
  readonly planRef: string
  /** The latest that a decision still holds, when none is named. */
  readonly checkpointRef: string | null
  readonly dryRun: boolean
  /** Digest of the preview that was confirmed; null = confirm whatever the impact is now. */
  readonly digest: string | null
}

/** Takes the last correction or rollback back. */
export type Undo = Omit<RollBack, 'checkpointRef'>

export interface RollbackImpact extends RestoreGroups {
  /** Superseded by it. */
  readonly decisions: readonly DecisionMention[]
  /** Hold again: a rollback or a correction is taken back. */
  readonly decisionsAgain: readonly DecisionMention[]
  /** Children whose work leaves, or that began since. */
  readonly plans: readonly CancelledChild[]
  readonly gatesAgain: readonly string[]
  readonly digest: string
}

export interface RollbackOutcome {
  readonly plan: Plan
  readonly checkpoint: Checkpoint
  readonly impact: RollbackImpact
  /** What the rollback can be taken back with; null for a preview. */
  readonly safety: Checkpoint | null
}

/**
 * Methods that advance a plan return as soon as what they did is on record; the plan then runs on in the background,
 * here or in the process that holds its lease. `settled` waits until it waits for a person, pauses or ends.
 */
export interface Backend {
  useAction(input: UseAction): Promise<Result<Plan>>
  passPhase(input: {
    planRef: string
    phase: 'execute' | 'apply'
    digest: string | null
    part: ChosenPart | null
    by: string
  }): Promise<Result<Plan>>
  answerGate(input: AnswerGate): Promise<Result<Plan>>
  /** Turns hunks named by their numbers into the part that an approval of Apply can be for. */
  pickPart(planRef: string, picked: readonly PickedFile[]): Promise<Result<ChosenPart>>
  cancel(planRef: string, reason: string | null): Promise<Result<Plan>>
  pause(planRef: string): Promise<Result<Plan>>
  resume(planRef: string): Promise<Result<Plan>>
  interrupt(planRef: string): Promise<Result<Plan>>
  prompt(planRef: string, guidance: string, by: string): Promise<Result<Plan>>
  correct(input: CorrectDecision): Promise<Result<CorrectionOutcome>>
  rollback(input: RollBack): Promise<Result<RollbackOutcome>>
  undo(input: Undo): Promise<Result<RollbackOutcome>>
  /** Makes a plan that takes back what another one applied. */
  unapply(planRef: string, note: string | null): Promise<Result<Plan>>
  settled(planId: PlanId, signal: AbortSignal): Promise<Plan>

  plan(planRef: string): Promise<Result<PlanDetails>>
  details(plan: Plan): PlanDetails
  plans(filter: {
    phase: string | null
    state: string | null
    project: string | null
    limit: number
  }): PlanDetails[]
  tree(planRef: string, options: { showSuperseded: boolean; depth: number | null }): Result<Tree>
  explain(decisionRef: string, planRef: string | null): Promise<Result<Explanation>>
  diff(request: DiffRequest): Promise<Result<Diff>>
  decisionLog(planRef: string): Promise<Result<DecisionLog>>
  steps(planRef: string, decisionRef: string | null): Result<readonly Step[]>
  checkpoints(planRef: string): Result<readonly Checkpoint[]>
  artifacts(planRef: string): Promise<Result<readonly Artifact[]>>
  audit(planRef: string, filter: AuditFilter): Result<PlanAudit>
  openGates(planRef: string | null): Result<readonly Gate[]>
  guards(planRef: string): Result<PlanGuards>
  changeGuards(input: ChangeGuards): Result<PlanGuards>
  testGuards(input: TestGuards): Promise<Result<GuardTest>>
  grants(planRef: string | null): Result<readonly Grant[]>
  revokeGrant(grantRef: string): Result<Grant>

  actions(): readonly ActionEntry[]
  action(name: string): Result<ActionEntry>
  createAction(text: string, file: string, automationProfile: string | null): Result<ActionEntry>
  archiveAction(name: string): Result<ActionEntry>
  profiles(): readonly AutomationProfile[]
  profile(name: string): Result<AutomationProfile>
  addProfile(source: ProfileText): Result<ParsedProfile>
  updateProfile(name: string, source: ProfileText): Result<ParsedProfile>
  deleteProfile(name: string, how: 'unless_named' | 'forced'): Result<DeletedProfile>
  previewProfile(input: PreviewProfile): Promise<Result<ProfilePreview>>
  calibration(): readonly Calibration[]
  planProfile(planRef: string): Result<PlanProfile>
  setPlanProfile(input: SetPlanProfile): Result<PlanProfile>
  projects(): Promise<readonly ProjectDetails[]>
  project(nameOrFolder: string): Promise<Result<ProjectDetails>>
  createProject(folder: string, name: string | null): Promise<Result<ProjectDetails>>
  giveTrust(nameOrFolder: string, digest: string | null): Promise<Result<ProjectDetails>>
  revokeTrust(nameOrFolder: string): Promise<Result<ProjectDetails>>
  setSetUp(nameOrFolder: string, setUp: SetUp | null): Promise<Result<ProjectDetails>>
  addResource(input: NewResource): Promise<Result<ResourceDetails>>
  resources(): readonly ResourceDetails[]
  resource(name: string): Result<ResourceDetails>
  removeResource(name: string): Result<ResourceDetails>
  setLink(link: {
    project: string
    resource: string
    to: 'linked' | 'unlinked'
  }): Promise<Result<ProjectDetails>>
  addInvariants(input: NewInvariant): Promise<Result<readonly StatedEntry[]>>
  invariants(places: InvariantPlaces): Promise<Result<readonly StatedEntry[]>>
  effectiveInvariants(
    about: { planRef: string } | { project: string },
  ): Promise<Result<readonly ActiveInvariant[]>>
  removeInvariant(reference: string): Result<StatedEntry>
  addValidation(text: string, file: string): Result<ValidationDetails>
  attachValidation(input: AttachValidation): Promise<Result<Attachment>>
  detachValidation(attachmentRef: string): Result<Attachment>
  validations(): readonly ValidationDetails[]
  tools(): readonly Tool[]
  actors(): readonly { readonly name: string; readonly description: string; readonly available: boolean }[]
  settings(project: string | null): readonly Setting[]
  setting(key: string, project: string | null): Result<Setting>
  changeSetting(key: string, value: unknown, project: string | null): Result<Setting>
  health(): readonly DiagnosticCheck[]
  diagnostics(folder: string | null): Promise<readonly DiagnosticCheck[]>
  createDemo(): Promise<{ readonly folder: string; readonly actionName: string }>

  readonly events: Pick<EventLog, 'lastSeq' | 'read' | 'onChange'>
  conversation(taskId: string): Conversation | null
  conversations(limit: number): readonly Conversation[]
  putConversation(conversation: Conversation): void
  readonly newTaskId: () => string
  readonly now: () => string
  /** Takes over what a dead process left; called once at start. `serve` also runs on what may run by itself. */
  recover(mode: 'look' | 'serve'): Promise<void>
  /** Plans that run now go on after the client has left; returns how many there are. */
  keepRunning(): number
  isKeptRunning(): boolean
  /** Resolves when no plan runs here any more. */
  idle(signal: AbortSignal): Promise<void>
  /** Orderly end: running plans pause, leases are released. Resolves within two seconds. */
  stop(): Promise<void>
}
