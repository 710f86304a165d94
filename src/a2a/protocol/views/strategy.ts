import * as z from 'zod'
import { nullableText } from './scalars.ts'

/** The strategy of a plan in words. */
export const strategyView = z.object({
  plan_id: z.string(),
  plan_name: z.string(),
  text: z.string(),
  /** From 1; grows whenever it becomes another text. */
  revision: z.number(),
  /** Who edited it last; null: it is as its actor left it. */
  edited_by: nullableText,
  /** Of exactly this revision; an edit names what it was made from. */
  digest: z.string(),
})
export type StrategyView = z.infer<typeof strategyView>
