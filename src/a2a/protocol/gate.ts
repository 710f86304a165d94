/** A gate inside A2A's standard messages, and what answers one. Plain objects, so that both generations carry them. */
import * as z from 'zod'
import { chosenPart } from './views/changes.ts'
import { gateOptionView } from './views/gate.ts'

export const GATE_PART = 'cleveragents.gate'

export const gateAnswerPart = z.object({
  gate_id: z.string(),
  /** Of exactly what was shown. */
  digest: z.string(),
  decision: z.enum(['approve', 'reject', 'request_changes']),
  option_id: z.string().optional(),
  note: z.string().optional(),
  guidance: z.string().optional(),
  ...chosenPart.shape,
  /** The gate's own, where it has one: an approval without it is refused. */
  confirm_word: z.string().optional(),
  grant: z.enum(['once', 'plan', 'profile']).default('once'),
})

export const gatePart = z.object({
  type: z.literal(GATE_PART),
  version: z.literal(1),
  gate_id: z.string(),
  plan_id: z.string(),
  path: z.array(z.string()),
  kind: z.string(),
  question: z.string(),
  reason: z.string(),
  options: z.array(gateOptionView),
  /** The answer that changes nothing; never an approval. */
  default: z.literal('reject'),
  digest: z.string(),
  confirm_word: z.string().nullable(),
  /** What exactly will happen, unshortened. */
  details: z.looseObject({ kind: z.string() }),
  /** JSON Schema of the data part that answers it. */
  answer_schema: z.record(z.string(), z.unknown()),
})
export type GatePart = z.infer<typeof gatePart>

/** A data part that starts a plan. */
export const startPart = z.object({
  action: z.string(),
  args: z.record(z.string(), z.unknown()).default({}),
  projects: z.array(z.string()).default([]),
  folder: z.string().optional(),
  automation_profile: z.string().optional(),
  sandbox: z.string().optional(),
  invariants: z.array(z.string()).default([]),
  name: z.string().optional(),
})
