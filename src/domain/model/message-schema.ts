import * as z from 'zod'
import type { AssistantMessage, Message, Opaque } from './message.ts'

/** Handed on as it was read: copying key by key would lose one called `__proto__`, which JSON may hold. */
const opaque = z.custom<Opaque>(
  value => value === null || (typeof value === 'object' && !Array.isArray(value)),
  'not an object',
)

export const assistantMessageSchema: z.ZodType<AssistantMessage> = z.object({
  role: z.literal('assistant'),
  parts: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('text'), text: z.string(), opaque }),
      z.object({ kind: z.literal('reasoning'), text: z.string(), opaque }),
      z.object({
        kind: z.literal('tool_call'),
        callId: z.string(),
        tool: z.string(),
        input: z.string(),
        opaque,
      }),
    ]),
  ),
  isCut: z.boolean(),
})

export const messageSchema: z.ZodType<Message> = z.union([
  assistantMessageSchema,
  z.object({ role: z.literal('system'), text: z.string() }),
  z.object({ role: z.literal('user'), text: z.string() }),
  z.object({
    role: z.literal('tool'),
    results: z.array(
      z.object({ callId: z.string(), tool: z.string(), text: z.string(), isError: z.boolean() }),
    ),
  }),
  z.object({ role: z.literal('summary'), text: z.string() }),
])
