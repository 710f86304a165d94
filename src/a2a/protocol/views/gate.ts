import * as z from 'zod'
import { nullableText, score } from './scalars.ts'

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
  /** How the confidence was computed, a line a term; empty where nothing was compared. */
  arithmetic: z.array(z.string()).default([]),
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
