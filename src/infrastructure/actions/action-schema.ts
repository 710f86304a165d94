import * as z from 'zod'
import { argumentTypes, DEFAULT_FIX_ATTEMPTS } from '../../domain/action.ts'
import { guardsFile } from '../profiles/guards-file.ts'
import { safetyFile } from '../profiles/safety-file.ts'

/** A word that expressions can read as a variable. */
export const identifier = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must begin with a letter and hold only letters, digits and underscores')

const sentence = z.string().trim().min(1, 'must not be empty')

const limit = z.number().nonnegative('must not be negative').nullable().optional()
const count = z.int().min(0, 'must not be negative').nullable().optional()

/** How far a plan of the action may go; other places can only make it less. */
const guardrailsSchema = z.strictObject({
  max_steps: count,
  tool_budget: limit,
  max_tokens: count,
  max_wall_clock_seconds: limit,
  actor_limits: z
    .strictObject({ max_tool_calls_per_invocation: count, max_retries_per_failure: count })
    .optional(),
  required_confirmations: z
    .array(
      z.string().regex(/^[^*]+\*?$|^\*$/, 'must be the name of an operation, with at most one * at its end'),
    )
    .optional(),
})

export const argumentSchema = z.strictObject({
  name: identifier,
  type: z.enum(argumentTypes),
  required: z.boolean().default(false),
  default: z.unknown().optional(),
  description: z.string().default(''),
  values: z.array(z.string()).default([]),
})

/** The shape of an action file. The steps of its recipe are read by read-recipe.ts. */
export const actionSchema = z.strictObject({
  name: z.string(),
  description: sentence,
  long_description: z.string().nullable().default(null),
  definition_of_done: sentence,
  strategy_actor: sentence,
  execution_actor: sentence,
  arguments: z.array(argumentSchema).default([]),
  /** Read by read-invariants.ts. */
  invariants: z.array(z.unknown()).default([]),
  automation_profile: sentence.nullable().default(null),
  safety_profile: safetyFile.nullable().default(null),
  guards: guardsFile.nullable().default(null),
  guardrails: guardrailsSchema.nullable().default(null),
  reusable: z.boolean().default(true),
  read_only: z.boolean().default(false),
  max_fix_attempts: z.int().min(0).max(20).default(DEFAULT_FIX_ATTEMPTS),
  state: z.enum(['available', 'archived']).default('available'),
  recipe: z
    .strictObject({
      strategize: z.unknown().optional(),
      execute: z.unknown().optional(),
      fix: z.unknown().optional(),
    })
    .nullable()
    .default(null),
})

export type ActionFile = z.output<typeof actionSchema>

/** Fields of the action format that nothing acts on yet. Taking them in silence would promise too much. */
export const laterKeys = ['estimation_actor', 'invariant_actor', 'review_actor', 'apply_actor']
