/** The event log. */
import * as z from 'zod'
import { row, streaming } from './row.ts'

export const eventMethods = {
  '_cleveragents/event/subscribe': streaming(
    'Follow the event log from a sequence number.',
    z.object({ after_seq: z.number().int().nonnegative().optional(), plan_id: z.string().optional() }),
    z.object({ subscription: z.string(), seq: z.number() }),
    ['event.subscribe'],
  ),
  '_cleveragents/event/list': row(
    'Past events of a plan, as they were sent.',
    z.object({
      plan_id: z.string(),
      after_seq: z.number().int().nonnegative().default(0),
      limit: z.number().int().positive().max(10_000).default(1_000),
    }),
    z.object({ events: z.array(z.looseObject({ method: z.string(), seq: z.number() })) }),
  ),
} as const
