import * as z from 'zod'

export const resourceView = z.object({
  resource_id: z.string(),
  name: z.string(),
  type: z.enum(['sqlite', 'postgresql']),
  location: z.string(),
  mode: z.enum(['copy', 'transaction']),
  sandbox: z.string(),
  protects: z.array(z.string()),
  does_not_protect: z.array(z.string()),
  projects: z.array(z.string()),
  created_at: z.string(),
})
export type ResourceView = z.infer<typeof resourceView>
