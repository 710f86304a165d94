/**
 * The decision log: what a plan decided and who allowed what, as one document that is read without the program. Its
 * shape is published in docs/decision-log.schema.json; a change that breaks readers gets the next version.
 */
import * as z from 'zod'
import { planPhases, planStates } from '../plan-states.ts'
import { changedFileView } from './changes.ts'
import { correctionEventView } from './correction.ts'
import { decisionView } from './decision.ts'
import { gateView } from './gate.ts'
import { activeInvariantView } from './invariant.ts'
import { planView } from './plan.ts'
import { nullableText } from './scalars.ts'
import { stepView } from './step.ts'

export const DECISION_LOG = 'cleveragents.decision-log'
export const DECISION_LOG_VERSION = 1

const loggedPlan = z.object({
  plan_id: z.string(),
  name: z.string(),
  parent_plan_id: nullableText,
  spawn_decision_id: nullableText,
  action: z.string(),
  description: z.string(),
  definition_of_done: z.string(),
  args: z.record(z.string(), z.unknown()),
  guidance: z.array(z.string()),
  /** In words; null where the decisions say it all. Logs of before it was kept have none. */
  strategy: z
    .object({ text: z.string(), revision: z.number(), edited_by: nullableText })
    .nullable()
    .default(null),
  project: z.string(),
  profile: z.object({ name: z.string(), source: z.string() }),
  phase: z.enum(planPhases),
  state: z.enum(planStates),
  reason: nullableText,
  attempt: z.number(),
  /** Null where the price of any of it is unknown. */
  cost_usd: z.number().nullable(),
  /** Of models; logs of before there were any name none. */
  tokens: z.number().default(0),
  invariants: z.array(activeInvariantView),
  preflight: planView.shape.preflight,
  created_at: z.string(),
  started_at: nullableText,
  ended_at: nullableText,
})

/** An operation that the profile let happen by itself, beside decisions, which carry theirs. */
const passView = z.object({
  plan_id: z.string(),
  flag: z.string(),
  about: z.string(),
  confidence: z.number(),
  threshold: z.number(),
  at: z.string(),
})

const validationRun = z.object({
  plan_id: z.string(),
  step: z.string(),
  /** The name of one that was attached; null for a check that the action itself asks for. */
  validation: nullableText.default(null),
  /** What ran: a command, or for a validation that wraps a tool the tool. */
  command: z.string(),
  required: z.boolean(),
  result: z.enum(['passed', 'failed', 'not_run']),
  message: z.string(),
  at: nullableText,
})

export const decisionLogView = z.object({
  schema: z.literal(DECISION_LOG),
  version: z.literal(DECISION_LOG_VERSION),
  /** `sha256:` over the whole document without this field, as JSON with its keys in order. */
  checksum: z.string(),
  exported_at: z.string(),
  plan_id: z.string(),
  /** The plan first, then those below it. */
  plans: z.array(loggedPlan),
  /** Superseded ones included, each plan's in order of recording. */
  decisions: z.array(decisionView),
  passes: z.array(passView),
  gates: z.array(gateView),
  /** What guards and limits stopped: their gates, and the checks that said no. */
  stops: z.array(
    z.object({ plan_id: z.string(), gate_id: nullableText, kind: z.string(), reason: z.string() }),
  ),
  corrections: z.array(correctionEventView),
  validations: z.array(validationRun),
  steps: z.array(stepView.omit({ output: true })),
  /** Of all work of the plan; null where its recorded states are gone, which `files_problem` says. */
  files: z.array(changedFileView).nullable(),
  files_problem: nullableText,
  /** What was taken out: where, by a JSON pointer, and what kind of secret. */
  redactions: z.array(
    z.object({ path: z.string(), kind: z.string(), start: z.number(), length: z.number() }),
  ),
})
export type DecisionLogView = z.infer<typeof decisionLogView>

export const logPhases = ['strategize', 'execute', 'apply'] as const

/** What a decision log is held against. A rule that is left out is not asked. */
export const logRules = z.object({
  /** Nothing passed by itself with a confidence below this. */
  max_auto_below: z.number().min(0).max(1).optional(),
  /** A person approved that the plan goes on to these phases. */
  require_approved: z.array(z.enum(logPhases)).default([]),
  /** At least one validation ran, and every required one passed when it last ran. */
  require_validations: z.boolean().default(false),
  /** No question was dropped, or is open, without an answer to it later. */
  no_superseded_unanswered: z.boolean().default(false),
  /** US dollars. */
  max_cost: z.number().nonnegative().optional(),
})
export type LogRules = z.infer<typeof logRules>

export const logVerdict = z.object({
  plan_id: z.string(),
  plan_name: z.string(),
  passed: z.boolean(),
  /** The rules that were asked. */
  rules: z.array(z.string()),
  violations: z.array(
    z.object({
      rule: z.string(),
      plan_name: z.string(),
      decision_id: nullableText,
      number: z.number().nullable(),
      message: z.string(),
    }),
  ),
})
export type LogVerdict = z.infer<typeof logVerdict>
