import type { SourcedGuards } from '../../domain/guards/effective-guards.ts'
import type { GatePreview } from '../../domain/profile/preview.ts'
import type { AutomationProfile, ProfileSource } from '../../domain/profile/profile.ts'
import type { SafetySources } from '../../domain/profile/safety.ts'
import type { ProfileReader } from '../ports/profile.ts'

export type ProfileText = Parameters<ProfileReader['parse']>[0]

export interface DeletedProfile {
  readonly profile: AutomationProfile
  /** Who names it still, for people. */
  readonly namedBy: readonly string[]
  /** Approvals for all its plans that ended with it. */
  readonly revokedGrants: number
}

export interface PreviewProfile {
  readonly actionName: string
  readonly automationProfile: string | null
  /** A registered name or a folder. */
  readonly project: string | null
}

/** A plan's profile as it holds for it. */
export interface PlanProfile {
  readonly profile: AutomationProfile
  readonly source: ProfileSource
  readonly safetySources: SafetySources
  /** Whoever has a say in them taken together. */
  readonly guards: SourcedGuards
}

export interface ProfilePreview extends PlanProfile {
  readonly action: string
  readonly gates: readonly GatePreview[]
  /** Sentences: what else waits, whatever the confidence. */
  readonly also: readonly string[]
}

export interface SetPlanProfile {
  readonly planRef: string
  readonly name: string
  readonly reason: string
  readonly by: string
}
