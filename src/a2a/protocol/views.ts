/** The shapes that cross the wire: snake_case, plain JSON. Turned from domain values in a2a/server/to-view.ts only. */
import * as z from 'zod'
import { planPhases, planStates } from './plan-states.ts'
import { budgetView, limitsView } from './views/limits.ts'

const nullableText = z.string().nullable()
const score = z.number().min(0).max(1).nullable()

export const changeCountsView = z.object({ files: z.number(), additions: z.number(), deletions: z.number() })
export type ChangeCountsView = z.infer<typeof changeCountsView>

export const optionView = z.object({ id: z.string(), label: z.string(), rationale: nullableText })
export type OptionView = z.infer<typeof optionView>

const factorsView = z.object({
  success: z.number(),
  familiarity: z.number(),
  risk: z.number(),
  invariants: z.number(),
})

export const gateConfidenceView = z.object({
  flag: z.string(),
  effective: z.number(),
  computed: z.number(),
  stated: score,
  threshold: z.number(),
  factors: factorsView,
  weights: factorsView,
})

const taskStates = [
  'submitted',
  'working',
  'input-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const
export const taskState = z.enum(taskStates)
export type TaskStateName = z.infer<typeof taskState>

export const gateOptionView = z.object({
  id: z.string(),
  label: z.string(),
  description: nullableText,
  effect: z.enum(['approve', 'reject']),
})

const gateAnswerView = z.object({
  decision: z.enum(['approve', 'reject', 'request_changes']),
  option_id: nullableText,
  note: nullableText,
  guidance: nullableText,
  /** The paths an approval of Apply was for; null when it was for all of them, or for single hunks. */
  only: z.array(z.string()).nullable(),
  hunks: z.enum(['all', 'chosen']),
  grant: z.enum(['once', 'plan', 'profile']),
})

/**
 * A part of the changes before Apply: files and folders, or a patch with some of the hunks of `plan/diff`, where bytes
 * that are not UTF-8 come as base64, or hunks by their numbers in a file, counted from 1. At most one of the three.
 */
export const chosenPart = z.object({
  only: z.array(z.string()).min(1).optional(),
  hunks: z.string().optional(),
  hunks_encoding: z.enum(['utf8', 'base64']).default('utf8'),
  picks: z
    .array(z.object({ path: z.string(), hunks: z.array(z.number().int().positive()).min(1).optional() }))
    .min(1)
    .optional(),
})

export const gateView = z.object({
  gate_id: z.string(),
  plan_id: z.string(),
  plan_name: z.string(),
  path: z.array(z.string()),
  kind: z.string(),
  flag: nullableText,
  phase: z.string(),
  question: z.string(),
  /** What exactly will happen, unshortened; its `kind` says which fields there are. */
  subject: z.looseObject({ kind: z.string() }),
  options: z.array(gateOptionView),
  reason: z.string(),
  confidence: score,
  threshold: score,
  factors: factorsView.nullable(),
  digest: z.string(),
  confirm_word: nullableText,
  /** Whether it can be answered with guidance for another proposal. */
  takes_changes: z.boolean(),
  opened_at: z.string(),
  status: z.enum(['open', 'resolved', 'void']),
  answer: gateAnswerView.nullable(),
  resolved_by: nullableText,
  closed_at: nullableText,
})
export type GateView = z.infer<typeof gateView>

/** A child as its parent shows it. */
export const childPlanView = z.object({
  plan_id: z.string(),
  name: z.string(),
  parent_plan_id: z.string(),
  /** The decision of the parent under which it was started. */
  spawn_decision_id: nullableText,
  /** What the parent calls it, unique among the children of that decision. */
  key: nullableText,
  action: z.string(),
  phase: z.enum(planPhases),
  state: z.enum(planStates),
  reason: nullableText,
  changes: changeCountsView.nullable(),
})
export type ChildPlanView = z.infer<typeof childPlanView>

const preflightCheckView = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['passed', 'warning', 'failed']),
  findings: z.array(z.object({ level: z.enum(['failure', 'warning']), message: z.string() })),
})

export const planView = z.object({
  plan_id: z.string(),
  name: z.string(),
  action: z.string(),
  description: z.string(),
  project: z.object({ name: z.string(), root: z.string() }),
  parent_plan_id: nullableText,
  root_plan_id: z.string(),
  /** The decision of the parent under which it was started; null for a top-level plan. */
  spawn_decision_id: nullableText,
  /** parent: its changes are merged into its parent, and applied together with the parent's. */
  applies_to: z.enum(['project', 'parent']),
  /** Its own children, in the order in which they were named. */
  children: z.array(childPlanView),
  /** The child whose question or pause it waits for; null when it waits for no child. */
  waits_for: z.object({ plan_id: z.string(), name: z.string() }).nullable(),
  phase: z.enum(planPhases),
  state: z.enum(planStates),
  task_state: taskState,
  reason: nullableText,
  attempt: z.number(),
  /** The checks before its start, all of them; null while they have not run. */
  preflight: z.array(preflightCheckView).nullable(),
  profile: z.object({ name: z.string(), source: z.string() }),
  args: z.record(z.string(), z.unknown()),
  invariants: z.array(z.string()),
  /** Open questions, those of plans below it included: `path` names the plan that asks. */
  gates: z.array(gateView),
  /** With what the plans below it cost; the amount is null when a price is unknown. */
  cost: z.object({ usd: z.number().nullable() }),
  budget: budgetView,
  limits: limitsView,
  changes: changeCountsView.nullable(),
  /** How much of its work is in the user's files, whatever became of the plan afterwards. */
  applied: z.enum(['nothing', 'part', 'all']),
  /** What is not in the user's files after a part was applied; null otherwise. */
  left: changeCountsView.nullable(),
  /** What keeps its commands from the rest of the machine; null before it ran. */
  confinement: z.enum(['bubblewrap', 'none']).nullable(),
  /** The plan that takes, or took, its applied changes back. */
  taken_back_by: z.object({ plan_id: z.string(), name: z.string(), state: z.enum(planStates) }).nullable(),
  notices: z.array(z.string()),
  /** Where it works until Apply, and what that is worth, in sentences for people. */
  sandbox: z.object({
    strategy: z.string(),
    /** in_place: there is no sandbox; every write is in the user's files at once. */
    place: z.enum(['beside', 'in_place']),
    restores: z.enum(['always', 'while_open', 'never']),
    protects: z.array(z.string()),
    does_not_protect: z.array(z.string()),
  }),
  /** Process that runs it now; null when nobody does. */
  runner: z.object({ pid: z.number(), here: z.boolean() }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: nullableText,
  ended_at: nullableText,
})
export type PlanView = z.infer<typeof planView>

export const decisionView = z.object({
  decision_id: z.string(),
  number: z.number(),
  parent_decision_id: nullableText,
  plan_id: z.string(),
  type: z.string(),
  phase: z.string(),
  status: z.enum(['active', 'superseded']),
  superseded_reason: nullableText,
  /** In words, where there is more to say than that. */
  superseded_why: nullableText,
  superseded_by: nullableText,
  key: nullableText,
  question: z.string(),
  chosen_option: optionView,
  alternatives: z.array(optionView),
  confidence: score,
  gate_confidence: gateConfidenceView.nullable(),
  decided_by: z.enum(['actor', 'profile', 'human', 'system']),
  rationale: z.string(),
  attempt: z.number(),
  is_correction: z.boolean(),
  corrects_decision_id: nullableText,
  correction_id: nullableText,
  changes: changeCountsView.nullable(),
  checkpoint_id: nullableText,
  created_at: z.string(),
})
export type DecisionView = z.infer<typeof decisionView>

export const edgeView = z.object({
  upstream_decision_id: z.string(),
  downstream_ref: z.string(),
  dependency_type: z.enum(['decision', 'plan']),
  origin: z.enum(['declared', 'derived']),
  why: z.string(),
})
export type EdgeView = z.infer<typeof edgeView>

export const treeView = z.object({
  plan_id: z.string(),
  /** Of the plan and of all plans below it; the first decision of a child has no parent here. */
  decisions: z.array(decisionView),
  edges: z.array(edgeView),
  /** The plans below it; `spawn_decision_id` is where their decisions belong. */
  plans: z.array(childPlanView),
})
export type TreeView = z.infer<typeof treeView>

export const stepView = z.object({
  step_id: z.string(),
  plan_id: z.string(),
  decision_id: nullableText,
  path: z.string(),
  kind: z.enum(['model', 'tool', 'validate', 'ask', 'apply', 'restore', 'adopt', 'spawn']),
  tool: nullableText,
  phase: z.string(),
  attempt: z.number(),
  status: z.enum(['authorised', 'started', 'done', 'failed', 'interrupted', 'refused']),
  /** One line for people. */
  summary: z.string(),
  input: z.unknown(),
  output: z.unknown(),
  started_at: nullableText,
  ended_at: nullableText,
})
export type StepView = z.infer<typeof stepView>

export const changedFileView = z.object({
  path: z.string(),
  old_path: nullableText,
  status: z.string(),
  additions: z.number(),
  deletions: z.number(),
  binary: z.boolean(),
})
export type ChangedFileView = z.infer<typeof changedFileView>

export const diffPart = z.enum(['left', 'applied', 'all'])

export const diffView = z.object({
  plan_id: z.string(),
  digest: z.string(),
  /** Which part of the plan's changes this is: those not in the user's files yet, those that are, or all. */
  part: diffPart,
  /** What the two sides are, e.g. `before the correction of #4` and `now`. */
  old: z.object({ title: z.string() }),
  new: z.object({ title: z.string() }),
  files: z.array(changedFileView),
  /** Unified diff that `git apply` accepts. Bytes that are not UTF-8 make `patch_encoding` base64. */
  patch: z.string(),
  patch_encoding: z.enum(['utf8', 'base64']),
})
export type DiffView = z.infer<typeof diffView>

const namedReason = z.object({ what: z.string(), why: z.string() })

/** What a rollback or a correction does to the sandbox, and what it does not. */
const restoreGroups = {
  /** rewritten: it is another now; brought_back: it is missing now; removed: it was not there then. */
  restored: z.array(z.object({ path: z.string(), how: z.enum(['rewritten', 'brought_back', 'removed']) })),
  left_alone: z.array(namedReason),
  cannot_restore: z.array(namedReason),
}

const mentionView = z.object({
  decision_id: z.string(),
  number: z.number(),
  question: z.string(),
  why: z.string(),
})

const cancelledPlanView = z.object({
  plan_id: z.string(),
  name: z.string(),
  state: z.string(),
  becomes: z.literal('cancelled'),
})

export const impactView = z.object({
  decisions: z.array(mentionView),
  /** Child plans below these decisions that are cancelled with them. */
  plans: z.array(cancelledPlanView),
  ...restoreGroups,
  /** Decisions whose work stays as it is. */
  kept: z.array(z.string()),
  tier: z.enum(['full', 'phase', 'none']),
  warnings: z.array(z.string()),
  /** Questions of gates that will be asked again. */
  gates_again: z.array(z.string()),
  /** Sentences: what ran and reached beyond the sandbox, which nothing takes back. */
  irreversible: z.array(z.string()),
  /** What the confirmation is bound to: if anything moved since the preview, it is shown again. */
  digest: z.string(),
})
export type ImpactView = z.infer<typeof impactView>

export const correctionView = z.object({
  correction_id: nullableText,
  plan_id: z.string(),
  decision_id: z.string(),
  mode: z.enum(['revert', 'append']),
  status: z.enum(['preview', 'running', 'done', 'failed']),
  guidance: z.string(),
  impact: impactView,
  attempt: z.number(),
  child_plan_id: nullableText,
})
export type CorrectionView = z.infer<typeof correctionView>

/** A correction as the event log knows it: what it superseded instead of what it was expected to. */
export const correctionEventView = correctionView
  .omit({ impact: true, child_plan_id: true })
  .extend({ superseded_ids: z.array(z.string()), failure: nullableText })
export type CorrectionEventView = z.infer<typeof correctionEventView>

export const rollbackImpactView = z.object({
  ...restoreGroups,
  /** Superseded by it. */
  decisions: z.array(mentionView),
  /** Hold again, because it takes a rollback or a correction back. */
  decisions_again: z.array(mentionView),
  /** Child plans that are cancelled, because their work leaves or because they began since. */
  plans: z.array(cancelledPlanView),
  /** Questions of gates that will be asked again. */
  gates_again: z.array(z.string()),
  /** What the confirmation is bound to: if anything moved since the preview, it is shown again. */
  digest: z.string(),
})
export type RollbackImpactView = z.infer<typeof rollbackImpactView>

const relationView = z.object({
  plan_id: z.string(),
  /** Null for a child plan. */
  decision_id: nullableText,
  number: z.number().nullable(),
  /** The decision's, or the name of the plan. */
  question: z.string(),
  /** declared: its actor said so. derived: from what was read and written. */
  origin: z.enum(['declared', 'derived']),
  why: z.string(),
})
export type RelationView = z.infer<typeof relationView>

export const explainView = z.object({
  decision: decisionView,
  plan_name: z.string(),
  /** The comparison in words, e.g. ".30 x success .50 + ... = .54 < .80". */
  arithmetic: z.array(z.string()),
  /** kept: from before a correction, and its actor has not come to it again. */
  standing: z.enum(['reached', 'kept']),
  /** What it depends on. */
  upstream: z.array(relationView),
  /** What depends on it. */
  downstream: z.array(relationView),
  /** What it would depend on if that did not depend on it. */
  not_counted: z.array(relationView.extend({ reason: z.string() })),
  steps: z.array(stepView),
  files: z.array(changedFileView),
})
export type ExplainView = z.infer<typeof explainView>

export const checkpointView = z.object({
  checkpoint_id: z.string(),
  plan_id: z.string(),
  decision_id: nullableText,
  /** decision: before its work. safety: before a rollback or a correction, which going back to it takes back. */
  kind: z.enum(['decision', 'safety']),
  label: z.string(),
  resources: z.array(z.string()),
  created_at: z.string(),
})
export type CheckpointView = z.infer<typeof checkpointView>

export const rollbackView = z.object({
  status: z.enum(['preview', 'done']),
  plan: planView,
  /** Where it goes back to. */
  checkpoint: checkpointView,
  impact: rollbackImpactView,
  /** Taken before it, to take it back with; null for a preview. */
  safety_checkpoint: checkpointView.nullable(),
})
export type RollbackView = z.infer<typeof rollbackView>

export const argumentView = z.object({
  name: z.string(),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'list', 'path', 'enum']),
  required: z.boolean(),
  default: z.unknown(),
  description: z.string(),
  values: z.array(z.string()),
})
export type ArgumentView = z.infer<typeof argumentView>

export const actionView = z.object({
  name: z.string(),
  description: z.string(),
  long_description: nullableText,
  definition_of_done: z.string(),
  strategy_actor: z.string(),
  execution_actor: z.string(),
  arguments: z.array(argumentView),
  invariants: z.array(z.string()),
  automation_profile: nullableText,
  read_only: z.boolean(),
  state: z.enum(['available', 'archived']),
  origin: z.enum(['built-in', 'registered']),
  /** The actions that its recipe runs as child plans, as it names them. */
  starts: z.array(z.string()),
  /** Null when it can be used now; otherwise why not and what to do. */
  unavailable: nullableText,
})
export type ActionView = z.infer<typeof actionView>

export const profileView = z.object({
  name: z.string(),
  description: z.string(),
  built_in: z.boolean(),
  thresholds: z.array(
    z.object({ flag: z.string(), gate: z.string(), what: z.string(), threshold: z.number() }),
  ),
  safety: z.record(z.string(), z.unknown()),
  /** Rules over tools that ask first; null when it has none. */
  guards: z.record(z.string(), z.unknown()).nullable(),
  /** Flags whose thresholds are others for its child plans. */
  child_thresholds: z.record(z.string(), z.number()),
})
export type ProfileView = z.infer<typeof profileView>

export const projectView = z.object({
  name: z.string(),
  root: z.string(),
  trusted: z.boolean(),
  /** A person has decided about all that would run; nobody asks again. */
  trust_asked: z.boolean(),
  /** changed: it was trusted, and would run something else since. */
  trust: z.enum(['unasked', 'trusted', 'untrusted', 'changed']),
  /** What a yes to exactly this list names. */
  trust_digest: z.string(),
  /** Everything that would run because the folder, or the set-up step named for it, says so. */
  would_run: z.array(
    z.object({
      kind: z.enum(['check', 'hook', 'set_up']),
      name: z.string(),
      command: z.string(),
      /** What is behind the command, e.g. the text of a script. */
      runs: nullableText,
      from: nullableText,
      /** It was not there, or not so, when the folder was trusted. */
      is_new: z.boolean(),
    }),
  ),
  resource: z.enum(['git-checkout', 'fs-directory']),
  /** Names of the databases that are linked to it. */
  resources: z.array(z.string()),
  branch: nullableText,
  automation_profile: nullableText,
  /** What fills a new sandbox with dependencies, before its first command. */
  set_up: z.object({ command: z.string(), network: z.boolean() }).nullable(),
  languages: z.array(z.string()),
  checks: z.array(z.object({ name: z.string(), command: z.string(), kind: z.string() })),
})
export type ProjectView = z.infer<typeof projectView>

export const resourceView = z.object({
  resource_id: z.string(),
  name: z.string(),
  type: z.enum(['sqlite', 'postgresql']),
  location: z.string(),
  mode: z.enum(['copy', 'transaction']),
  sandbox: z.string(),
  protects: z.array(z.string()),
  does_not_protect: z.array(z.string()),
  projects: z.array(z.string()),
  created_at: z.string(),
})
export type ResourceView = z.infer<typeof resourceView>

export const toolView = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  output_schema: z.record(z.string(), z.unknown()),
  read_only: z.boolean(),
  writes: z.boolean(),
  checkpointable: z.boolean(),
  side_effects: z.array(z.string()),
  unsafe: z.boolean(),
})
export type ToolView = z.infer<typeof toolView>

export const grantView = z.object({
  grant_id: z.string(),
  scope: z.enum(['plan', 'profile']),
  plan_id: nullableText,
  profile: nullableText,
  flag: z.string(),
  decision_type: nullableText,
  tool: nullableText,
  granted_by: z.string(),
  granted_at: z.string(),
  revoked_at: nullableText,
})
export type GrantView = z.infer<typeof grantView>

export const settingView = z.object({
  key: z.string(),
  value: z.unknown(),
  source: z.enum(['default', 'file', 'project', 'environment', 'flag']),
  description: z.string(),
})
export type SettingView = z.infer<typeof settingView>

export const healthView = z.object({
  status: z.enum(['ok', 'warn', 'error']),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warn', 'error', 'info']),
      message: z.string(),
      /** What to do about it. */
      remedy: nullableText,
    }),
  ),
})
export type HealthView = z.infer<typeof healthView>
