/** Settings. */
import * as z from 'zod'
import { settingView } from '../views/setting.ts'
import { row } from './row.ts'

export const configMethods = {
  '_cleveragents/config/get': row(
    'One setting and where it comes from.',
    z.object({ key: z.string(), project: z.string().optional() }),
    settingView,
  ),
  '_cleveragents/config/set': row(
    'Change a setting.',
    z.object({ key: z.string(), value: z.unknown(), project: z.string().optional() }),
    settingView,
  ),
  '_cleveragents/config/list': row(
    'All settings.',
    z.object({ project: z.string().optional() }),
    z.object({ settings: z.array(settingView) }),
  ),
} as const
