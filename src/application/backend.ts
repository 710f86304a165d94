/** The use cases as the protocol server sees them; what goes in and comes out is in backend/. Built in build-backend.ts. */
import type { Result } from '../domain/failure.ts'
import type { Calibration } from '../domain/gate/calibration.ts'
import type { ChosenPart, Gate } from '../domain/gate/gate.ts'
import type { PlanId } from '../domain/ids.ts'
import type { ActiveInvariant } from '../domain/invariant/invariant.ts'
import type { Checkpoint, Grant, Step } from '../domain/plan/journal.ts'
import type { Plan } from '../domain/plan/plan.ts'
import type { AutomationProfile } from '../domain/profile/profile.ts'
import type { PickedFile } from '../domain/sandbox/pick-hunks.ts'
import type { Tool } from '../domain/tool.ts'
import type { Attachment } from '../domain/validation.ts'
import type { ActorDetails } from './actor/show-actor.ts'
import type { ActionEntry } from './backend/action.ts'
import type { CorrectDecision, CorrectionOutcome } from './backend/correction.ts'
import type { Explanation, Tree } from './backend/decision.ts'
import type { Diff, DiffRequest } from './backend/diff.ts'
import type { AnswerGate, Artifact, PlanDetails, UseAction } from './backend/plan.ts'
import type {
  DeletedProfile,
  PlanProfile,
  PreviewProfile,
  ProfilePreview,
  ProfileText,
  SetPlanProfile,
} from './backend/profile.ts'
import type { ProjectDetails, ResourceDetails } from './backend/project.ts'
import type { RollBack, RollbackOutcome, Undo } from './backend/rollback.ts'
import type { Sessions } from './backend/session.ts'
import type { DecisionLog } from './decision-log/gather-log.ts'
import type { AuditFilter, PlanAudit } from './guardrails/plan-audit.ts'
import type { ChangeGuards, PlanGuards } from './guards/change-guards.ts'
import type { GuardTest, TestGuards } from './guards/test-guards.ts'
import type { InvariantPlaces, NewInvariant, StatedEntry } from './invariant/state-invariants.ts'
import type { EditStrategy, PlanStrategy } from './plan/edit-strategy.ts'
import type { ListMessages, PlanMessages } from './plan/list-messages.ts'
import type { Conversation } from './ports/conversation.ts'
import type { EventLog } from './ports/event-log.ts'
import type { DiagnosticCheck } from './ports/machine.ts'
import type { ParsedProfile } from './ports/profile.ts'
import type { SetUp } from './ports/project.ts'
import type { Setting } from './ports/setting.ts'
import type { NewResource } from './project/resources.ts'
import type { AttachValidation, ValidationDetails } from './validation/manage-validations.ts'

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
  strategy(planRef: string): Result<PlanStrategy>
  editStrategy(input: EditStrategy): Result<PlanStrategy>
  messages(input: ListMessages): Result<PlanMessages>
  openGates(planRef: string | null): Result<readonly Gate[]>
  guards(planRef: string): Result<PlanGuards>
  changeGuards(input: ChangeGuards): Result<PlanGuards>
  testGuards(input: TestGuards): Promise<Result<GuardTest>>
  grants(planRef: string | null): Result<readonly Grant[]>
  revokeGrant(grantRef: string): Result<Grant>

  readonly sessions: Sessions

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
  actor(name: string): Promise<Result<ActorDetails>>
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
