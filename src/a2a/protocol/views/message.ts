import * as z from 'zod'
import { nullableText } from './scalars.ts'

/** One thing that was said between a plan and a model. */
export const messageView = z.object({
  message_id: z.string(),
  /** The one before it; null for the first. */
  after_id: nullableText,
  role: z.enum(['system', 'user', 'assistant', 'tool', 'summary']),
  /** Everything in it that people can read, unshortened. */
  text: z.string(),
  tool_calls: z.array(z.object({ tool: z.string(), input: z.string() })),
  tool_results: z.array(z.object({ tool: z.string(), text: z.string(), is_error: z.boolean() })),
  /** Its end never arrived, or was longer than allowed. */
  is_cut: z.boolean(),
  /** Whether the plan stands on it; what was taken back or cut stays beside. */
  is_present: z.boolean(),
  at: z.string(),
})
export type MessageView = z.infer<typeof messageView>

export const messagesView = z.object({
  plan_id: z.string(),
  plan_name: z.string(),
  /** How many there are; the list holds the newest that fit the limit. */
  total: z.number(),
  /** In the order in which they were said. */
  messages: z.array(messageView),
})
export type MessagesView = z.infer<typeof messagesView>
