import * as z from 'zod'

export const settingView = z.object({
  key: z.string(),
  value: z.unknown(),
  source: z.enum(['default', 'file', 'project', 'environment', 'flag']),
  description: z.string(),
})
export type SettingView = z.infer<typeof settingView>
