/** Guards and guardrails of a plan. */
import { later } from './row.ts'

export const guardMethods = {
  '_cleveragents/plan/guard/show': later('Guards of a plan.'),
  '_cleveragents/plan/guard/audit': later('Audit trail of a plan.'),
  '_cleveragents/plan/guard/set': later('Tighten the guards of a plan.'),
  '_cleveragents/plan/guard/denylist/add': later('Deny a tool in a plan.'),
  '_cleveragents/plan/guard/denylist/remove': later('Allow a denied tool in a plan.'),
} as const
