/** What must stay true whatever plans do. */
import * as z from 'zod'
import { activeInvariantView, invariantView } from '../views/invariant.ts'
import { row } from './row.ts'

/** One kind of place at most. */
const places = {
  global: z.boolean().default(false),
  project: z.string().optional(),
  plans: z.array(z.string()).default([]),
  actions: z.array(z.string()).default([]),
}

export const invariantMethods = {
  '_cleveragents/invariant/add': row(
    'State what must stay true: for all plans, in a project, for plans, or for what actions make from then on.',
    z.object({
      text: z.string(),
      ...places,
      /** What a program compares: all of `rule` and `value`, and a `key` unless the rule is about paths. */
      key: z.string().optional(),
      rule: z.string().optional(),
      value: z.union([z.string(), z.number(), z.boolean()]).optional(),
      non_overridable: z.boolean().default(false),
    }),
    z.object({ invariants: z.array(invariantView) }),
  ),
  '_cleveragents/invariant/list': row(
    'Invariants as they were stated; those of one place where one is named.',
    z.object(places),
    z.object({ invariants: z.array(invariantView) }),
  ),
  '_cleveragents/invariant/effective': row(
    'Which invariants hold, and what each was chosen over: for a plan, or in a project.',
    z.object({ plan_id: z.string().optional(), project: z.string().optional() }),
    z.object({ invariants: z.array(activeInvariantView) }),
  ),
  '_cleveragents/invariant/remove': row(
    'Take an invariant back; plans that run take notice when their next phase begins.',
    z.object({ invariant_id: z.string() }),
    invariantView,
  ),
} as const
