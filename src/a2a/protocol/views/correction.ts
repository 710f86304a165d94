import * as z from 'zod'
import { nullableText } from './scalars.ts'

const namedReason = z.object({ what: z.string(), why: z.string() })

/** What a rollback or a correction does to the sandbox, and what it does not. */
export const restoreGroups = {
  /** rewritten: it is another now; brought_back: it is missing now; removed: it was not there then. */
  restored: z.array(z.object({ path: z.string(), how: z.enum(['rewritten', 'brought_back', 'removed']) })),
  left_alone: z.array(namedReason),
  cannot_restore: z.array(namedReason),
}

export const mentionView = z.object({
  decision_id: z.string(),
  number: z.number(),
  question: z.string(),
  why: z.string(),
})

export const cancelledPlanView = z.object({
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
