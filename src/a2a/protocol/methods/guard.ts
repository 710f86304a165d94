/** Guards and guardrails of a plan. */
import * as z from 'zod'
import { guardsView, guardTestView } from '../views/guard.ts'
import { auditView } from '../views/limits.ts'
import { plan, row } from './row.ts'

const change = plan.extend({
  /** Why; a change that lets more through than before needs it. */
  reason: z.string().optional(),
  /** Only tells what would hold. */
  dry_run: z.boolean().default(false),
})
const entries = change.extend({ entries: z.array(z.string()).min(1) })

export const guardMethods = {
  '_cleveragents/plan/guard/show': row('Guards of a plan, and where each comes from.', plan, guardsView),
  '_cleveragents/plan/guard/audit': row(
    'What the limits of a plan allowed and denied and, marked apart, what its events say about guards and gates.',
    plan.extend({
      /** One type of event. */
      type: z.string().optional(),
      result: z.enum(['allowed', 'denied']).optional(),
      /** The newest so many. */
      limit: z.number().int().positive().default(100),
    }),
    auditView,
  ),
  '_cleveragents/plan/guard/set': row(
    'Change the guards of a plan. To loosen one needs a reason; fields left out stay as they are.',
    change.extend({
      max_tool_calls_per_step: z.number().int().nonnegative().nullable().optional(),
      max_total_cost: z.number().nonnegative().nullable().optional(),
      tool_allowlist: z.array(z.string()).nullable().optional(),
      require_approval_for_writes: z.boolean().optional(),
      require_approval_for_apply: z.boolean().optional(),
    }),
    guardsView,
  ),
  '_cleveragents/plan/guard/denylist/add': row('Deny tools or commands in a plan.', entries, guardsView),
  '_cleveragents/plan/guard/denylist/remove': row(
    'Take tools or commands off the denylist of a plan; needs a reason.',
    entries,
    guardsView,
  ),
  '_cleveragents/guard/test': row(
    'What guards would say to a command, part by part: those of a profile, or of a plan as they are now.',
    z.object({
      command: z.string(),
      profile: z.string().optional(),
      plan_id: z.string().optional(),
      /** Where it would run, for a profile. */
      folder: z.string().default('/'),
    }),
    guardTestView,
  ),
} as const
