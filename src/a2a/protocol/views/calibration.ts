import * as z from 'zod'

export const calibrationView = z.object({
  type: z.string(),
  /** Stated from here up to but not including `to`. */
  from: z.number(),
  to: z.number(),
  passed: z.number(),
  corrected: z.number(),
  suggestion: z.string().nullable(),
})
export type CalibrationView = z.infer<typeof calibrationView>
