import * as z from 'zod'

const nullableText = z.string().nullable()

export const actorView = z.object({
  name: z.string(),
  description: z.string(),
  available: z.boolean(),
  /** Why it cannot be used, and what to do. */
  problem: nullableText,
  /** Null: it needs no model. */
  provider: z
    .object({
      name: z.string(),
      kind: z.enum(['openai', 'anthropic', 'google', 'openai_compatible']),
      endpoint: z.string(),
      /** A variable or a file, never the key. */
      key_from: nullableText,
      default_model: nullableText,
    })
    .nullable(),
  context_tokens: z.number().nullable(),
  max_output_tokens: z.number().nullable(),
  /** US dollars for a million tokens; null where they are unknown. */
  price: z
    .object({
      input: z.number(),
      output: z.number(),
      cached_input: z.number().nullable(),
      as_of: z.string(),
      source: z.enum(['table', 'setting']),
    })
    .nullable(),
  /** What the provider's server lists; null where that is not known. */
  models: z.array(z.string()).nullable(),
  models_problem: nullableText,
})
export type ActorView = z.output<typeof actorView>
