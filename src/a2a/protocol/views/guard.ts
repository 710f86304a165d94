/** Guards of a plan, and what they say to a command. */
import * as z from 'zod'

const source = z.enum(['profile', 'action', 'plan', 'parent']).nullable()
const limit = z.object({ value: z.number().nullable(), source })
const demand = z.object({ value: z.boolean(), source })

/** What holds, and who set each field; null where nobody did. */
export const guardFieldsView = z.object({
  max_tool_calls_per_step: limit,
  max_total_cost: limit,
  /** A tool must be on each of them. */
  tool_allowlists: z.array(z.object({ entries: z.array(z.string()), source })),
  tool_denylist: z.array(z.object({ entry: z.string(), source })),
  require_approval_for_writes: demand,
  require_approval_for_apply: demand,
})
export type GuardFieldsView = z.infer<typeof guardFieldsView>

export const guardsView = guardFieldsView.extend({
  plan_id: z.string(),
  plan_name: z.string(),
  scope: z.enum(['PLAN', 'SUBPLAN']),
  /** What a change lets through that was stopped before. */
  loosened: z.array(z.string()),
  /** What a person should know about the allowlists. */
  warnings: z.array(z.string()),
})
export type GuardsView = z.infer<typeof guardsView>

export const guardTestView = z.object({
  command: z.string(),
  /** refused: safety forbids it, and nobody can let it through. */
  verdict: z.enum(['allowed', 'asked', 'refused']),
  reason: z.string(),
  guard: z.string().nullable(),
  parts: z.array(
    z.object({
      kind: z.enum(['command', 'assignment', 'read', 'write', 'whole']),
      text: z.string(),
      start: z.number(),
      end: z.number(),
      /** The program inside of which it runs. */
      inside: z.string().nullable(),
      verdict: z.enum(['allowed', 'denied', 'unclear', 'not_listed']),
      /** The rule that decided. */
      rule: z.string().nullable(),
      why: z.string(),
    }),
  ),
  warnings: z.array(z.string()),
})
export type GuardTestView = z.infer<typeof guardTestView>
