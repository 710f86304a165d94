import * as z from 'zod'

export const invariantRules = [
  'equals',
  'max',
  'min',
  'forbid',
  'allow',
  'unchanged',
  'forbid_path',
  'allow_path',
] as const

const ruleView = z.object({
  key: z.string(),
  rule: z.enum(invariantRules),
  value: z.union([z.string(), z.number(), z.boolean()]),
})

/** One as it was stated. */
export const invariantView = z.object({
  invariant_id: z.string(),
  text: z.string(),
  /** What a program compares; null for words alone. */
  rule: ruleView.nullable(),
  scope: z.enum(['global', 'project', 'action', 'plan']),
  /** The name of the project, action or plan it is about; null for all plans. */
  subject: z.string().nullable(),
  /** The action that brought it into the plan; null when it was said for the plan itself. */
  from_action: z.string().nullable(),
  non_overridable: z.boolean(),
  stated_by: z.string(),
  created_at: z.string(),
})
export type InvariantView = z.infer<typeof invariantView>

/** One that holds for a plan. */
export const activeInvariantView = z.object({
  invariant_id: z.string().nullable(),
  text: z.string(),
  rule: ruleView.nullable(),
  /** Who says so, e.g. `project local/shop`. */
  source: z.string(),
  non_overridable: z.boolean(),
  /** Whether its rule is held against the changes before Apply. */
  checked: z.boolean(),
  also_from: z.array(z.string()),
  /** What it was chosen over, and why. */
  over: z.array(
    z.object({ text: z.string(), rule: ruleView.nullable(), source: z.string(), why: z.string() }),
  ),
})
export type ActiveInvariantView = z.infer<typeof activeInvariantView>
