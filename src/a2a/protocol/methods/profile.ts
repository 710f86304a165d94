/** Automation profiles, and the one a plan runs under. */
import * as z from 'zod'
import { profileView } from '../views.ts'
import { later, name, none, plan, row } from './row.ts'

export const profileMethods = {
  '_cleveragents/automation-profile/list': row(
    'Profiles.',
    none,
    z.object({ profiles: z.array(profileView) }),
  ),
  '_cleveragents/automation-profile/show': row('One profile.', name, profileView),
  '_cleveragents/automation-profile/add': later('Register a profile.'),
  '_cleveragents/automation-profile/update': later('Change a registered profile.'),
  '_cleveragents/automation-profile/delete': later('Remove a registered profile.'),
  '_cleveragents/plan/profile/show': row(
    'The profile a plan runs under and where it came from.',
    plan,
    z.object({ profile: profileView, source: z.string() }),
  ),
} as const
