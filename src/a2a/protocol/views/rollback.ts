import * as z from 'zod'
import { cancelledPlanView, mentionView, restoreGroups } from './correction.ts'
import { planView } from './plan.ts'
import { nullableText } from './scalars.ts'

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
