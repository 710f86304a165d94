import * as z from 'zod'
import { changeCountsView, changedFileView } from './changes.ts'
import { gateConfidenceView } from './gate.ts'
import { childPlanView } from './plan.ts'
import { nullableText, score } from './scalars.ts'
import { stepView } from './step.ts'

export const optionView = z.object({ id: z.string(), label: z.string(), rationale: nullableText })
export type OptionView = z.infer<typeof optionView>

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

/** One answer of a model under a decision. */
const answerView = z.object({
  step_id: z.string(),
  model: z.string(),
  status: stepView.shape.status,
  /** Of all tries: read and written. */
  tokens: z.number(),
  /** US dollars; null where the price is unknown. */
  usd: z.number().nullable(),
  /** The beginning of what it wrote, and what it called for. */
  beginning: z.string(),
  /** Where the whole of it is, for `plan/message/list`; null where nothing arrived. */
  message_id: nullableText,
})

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
  answers: z.array(answerView),
  files: z.array(changedFileView),
})
export type ExplainView = z.infer<typeof explainView>
