/** The shapes that cross the wire, a file a noun: snake_case, plain JSON. Made from domain values in a2a/server/to-view. */
import * as z from 'zod'
import { planPhases, planStates } from '../plan-states.ts'
import { changeCountsView } from './changes.ts'
import { gateView } from './gate.ts'
import { budgetView, limitsView } from './limits.ts'
import { nullableText } from './scalars.ts'

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
  cost: z.object({
    usd: z.number().nullable(),
    /** Of models, read and written. */
    tokens: z.number(),
  }),
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
