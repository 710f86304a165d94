/** Automation profiles, and the one a plan runs under. */
import * as z from 'zod'
import { calibrationView } from '../views/calibration.ts'
import {
  deletedProfileView,
  planProfileView,
  profilePreviewView,
  profileView,
  registeredProfileView,
} from '../views/profile.ts'
import { name, none, plan, row } from './row.ts'

/** The backend gets the text, not the path; `file` is what errors call it. strict: every threshold must be written. */
const source = z.object({ text: z.string(), file: z.string(), strict: z.boolean().default(false) })

export const profileMethods = {
  '_cleveragents/profile/calibration': row(
    'How often decisions that passed at a stated confidence were corrected later, by type and by tenths, with suggestions in words.',
    none,
    z.object({ bands: z.array(calibrationView) }),
  ),
  '_cleveragents/automation-profile/list': row(
    'Profiles: the built-in ones in the order in which people adopt them, then the registered ones.',
    none,
    z.object({ profiles: z.array(profileView) }),
  ),
  '_cleveragents/automation-profile/show': row('One profile.', name, profileView),
  '_cleveragents/automation-profile/add': row(
    'Register a profile from its YAML text.',
    source,
    registeredProfileView,
  ),
  '_cleveragents/automation-profile/update': row(
    'Replace a registered profile; plans that exist keep the one they were made with.',
    source.extend({ name: z.string() }),
    registeredProfileView,
  ),
  '_cleveragents/automation-profile/delete': row(
    'Remove a registered profile that no action and no setting names, or with `force` one that is named.',
    name.extend({ force: z.boolean().default(false) }),
    deletedProfileView,
    { aliases: ['_cleveragents/automation-profile/remove'] },
  ),
  '_cleveragents/automation-profile/preview': row(
    'What would wait for a person if a plan of an action were made now.',
    z.object({
      action_name: z.string(),
      automation_profile: z.string().optional(),
      /** A registered name or a folder. */
      project: z.string().optional(),
    }),
    profilePreviewView,
  ),
  '_cleveragents/plan/profile/show': row(
    'The profile a plan runs under, where it came from, and who made it stricter.',
    plan,
    planProfileView,
  ),
  '_cleveragents/plan/profile/set': row(
    'Give a plan another profile, where the setting `plans.profile-changes` allows it and nothing of the plan runs.',
    plan.extend({ name: z.string(), reason: z.string() }),
    planProfileView,
  ),
} as const
