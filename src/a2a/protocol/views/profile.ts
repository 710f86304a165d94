import * as z from 'zod'
import { guardFieldsView } from './guard.ts'

export const profileView = z.object({
  name: z.string(),
  description: z.string(),
  built_in: z.boolean(),
  thresholds: z.array(
    z.object({ flag: z.string(), gate: z.string(), what: z.string(), threshold: z.number() }),
  ),
  safety: z.record(z.string(), z.unknown()),
  /** Rules over tools that ask first; null when it has none. */
  guards: z.record(z.string(), z.unknown()).nullable(),
  /** Flags whose thresholds are others for its child plans. */
  child_thresholds: z.record(z.string(), z.number()),
})
export type ProfileView = z.infer<typeof profileView>

/** What a person should know about a profile that was taken, with the place in its file. */
export const registeredProfileView = z.object({ profile: profileView, notices: z.array(z.string()) })

export const deletedProfileView = z.object({
  name: z.string(),
  /** Who names it still: actions, projects and settings. */
  named_by: z.array(z.string()),
  /** Approvals for all its plans that ended with it. */
  revoked_grants: z.number(),
})

export const planProfileView = z.object({
  /** As it holds for the plan. */
  profile: profileView,
  /** Who named it: plan, action, project, flag, environment, global or default; of a child plan its parent. */
  source: z.string(),
  /** By flag, or `safety.FIELD`: profile, action, parent, project or setting. */
  sources: z.record(z.string(), z.string()),
  /** Of the profile, the action, the plan and its parent together; `profile.guards` are those of the profile alone. */
  guards: guardFieldsView,
})
export type PlanProfileView = z.infer<typeof planProfileView>

export const gatePreviewView = z.object({
  flag: z.string(),
  gate: z.string(),
  what: z.string(),
  threshold: z.number(),
  /** below: it asks where the confidence is less than the threshold. */
  asks: z.enum(['always', 'below', 'never']),
  /** on_the_way: every plan of the action comes to it. never: the action has nothing of the kind. */
  reached: z.enum(['on_the_way', 'on_failure', 'never']),
})
export type GatePreviewView = z.infer<typeof gatePreviewView>

export const profilePreviewView = planProfileView.extend({
  action: z.string(),
  gates: z.array(gatePreviewView),
  /** Sentences: what else waits for a person, whatever the confidence. */
  also: z.array(z.string()),
})
export type ProfilePreviewView = z.infer<typeof profilePreviewView>
