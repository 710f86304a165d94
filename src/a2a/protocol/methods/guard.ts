/** Guards and guardrails of a plan. */
import * as z from 'zod'
import { auditView } from '../views/limits.ts'
import { later, plan, row } from './row.ts'

export const guardMethods = {
  '_cleveragents/plan/guard/show': later('Guards of a plan.'),
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
  '_cleveragents/plan/guard/set': later('Tighten the guards of a plan.'),
  '_cleveragents/plan/guard/denylist/add': later('Deny a tool in a plan.'),
  '_cleveragents/plan/guard/denylist/remove': later('Allow a denied tool in a plan.'),
} as const
