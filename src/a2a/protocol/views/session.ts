import * as z from 'zod'

/** A conversation that outlives the plans started in it. Its id is an A2A context. */
export const sessionView = z.object({
  session_id: z.string(),
  name: z.string().nullable(),
  /** The model that answers; null: the default one. */
  actor: z.string().nullable(),
  folder: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  plans: z.array(z.object({ plan_id: z.string(), name: z.string(), phase: z.string(), state: z.string() })),
  messages: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullable(),
})
export type SessionView = z.infer<typeof sessionView>

/** One thing that was said, as people read it. */
const saidView = z.object({
  who: z.enum(['person', 'actor', 'tool', 'summary']),
  text: z.string(),
  /** It was stopped, or its connection was lost. */
  cut: z.boolean(),
})

export const sessionDetailsView = sessionView.extend({ said: z.array(saidView) })
export type SessionDetailsView = z.infer<typeof sessionDetailsView>
