/** What models said about a plan: its strategy in words, and the messages to and fro. */
import * as z from 'zod'
import { messagesView } from '../views/message.ts'
import { strategyView } from '../views/strategy.ts'
import { plan, row } from './row.ts'

export const modelMethods = {
  '_cleveragents/plan/strategy/show': row('The strategy of a plan in words.', plan, strategyView),
  '_cleveragents/plan/strategy/edit': row(
    'Replace the strategy of a plan that waits before Execute; the question is asked anew.',
    plan.extend({
      text: z.string(),
      /** Of what was edited, as it was shown; another one by now is refused. */
      digest: z.string(),
    }),
    strategyView,
  ),
  '_cleveragents/plan/message/list': row(
    'What was said to models and what they answered, with what was taken back.',
    plan.extend({
      /** Only what was said under it. */
      decision_id: z.string().optional(),
      /** The newest so many. */
      limit: z.number().int().positive().default(200),
    }),
    messagesView,
  ),
} as const
