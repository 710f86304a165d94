import * as z from 'zod'

export const toolView = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  output_schema: z.record(z.string(), z.unknown()),
  read_only: z.boolean(),
  writes: z.boolean(),
  checkpointable: z.boolean(),
  side_effects: z.array(z.string()),
  unsafe: z.boolean(),
})
export type ToolView = z.infer<typeof toolView>
