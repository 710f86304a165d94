import * as z from 'zod'
import { nullableText } from './scalars.ts'

export const stepView = z.object({
  step_id: z.string(),
  plan_id: z.string(),
  decision_id: nullableText,
  path: z.string(),
  kind: z.enum(['model', 'tool', 'validate', 'ask', 'apply', 'restore', 'adopt', 'spawn', 'finish']),
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
