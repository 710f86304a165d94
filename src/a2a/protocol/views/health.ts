import * as z from 'zod'
import { nullableText } from './scalars.ts'

export const healthView = z.object({
  status: z.enum(['ok', 'warn', 'error']),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warn', 'error', 'info']),
      message: z.string(),
      /** What to do about it. */
      remedy: nullableText,
    }),
  ),
})
export type HealthView = z.infer<typeof healthView>
