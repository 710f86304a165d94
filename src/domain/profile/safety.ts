import type { AutomationProfile, SafetyProfile } from './profile.ts'

/** Where a field of a plan's safety comes from, when that is not the profile itself. */
export const safetySourceNames = ['action', 'parent', 'project', 'setting'] as const
export type SafetySource = (typeof safetySourceNames)[number]

export type SafetySources = Readonly<Partial<Record<keyof SafetyProfile, SafetySource>>>

/** A plan's profile as it holds, with who made which field of its safety stricter. */
export interface EffectiveProfile {
  readonly profile: AutomationProfile
  readonly safetySources: SafetySources
}

/** Makes a profile's safety stricter by somebody's wishes and notes which fields that changed. */
export function tighten(
  { profile, safetySources }: EffectiveProfile,
  wishes: Partial<SafetyProfile> | null,
  source: SafetySource,
): EffectiveProfile {
  const safety = stricter(profile.safety, wishes)
  const changed = fieldsOf(safety).filter(field => !isSame(safety[field], profile.safety[field]))
  return {
    profile: { ...profile, safety },
    safetySources: { ...safetySources, ...Object.fromEntries(changed.map(field => [field, source])) },
  }
}

/**
 * What a child plan may do by itself: as its parent, or less where its action wants less. Its thresholds are its
 * parent's, except for those that the profile itself names for children.
 */
export function inherit(parent: EffectiveProfile, wishes: Partial<SafetyProfile> | null): EffectiveProfile {
  const { profile } = parent
  const fields = fieldsOf(profile.safety).map(field => [field, 'parent'] as const)
  return tighten(
    {
      profile: { ...profile, thresholds: { ...profile.thresholds, ...profile.childThresholds } },
      safetySources: Object.fromEntries(fields),
    },
    wishes,
    'action',
  )
}

/** Field by field, and never looser (requirements X-17). */
export function stricter(profile: SafetyProfile, wishes: Partial<SafetyProfile> | null): SafetyProfile {
  if (!wishes) return profile
  return {
    requireSandbox: profile.requireSandbox || wishes.requireSandbox === true,
    requireCheckpoints: profile.requireCheckpoints || wishes.requireCheckpoints === true,
    allowUnsafeTools: profile.allowUnsafeTools && wishes.allowUnsafeTools !== false,
    requireHumanApproval: profile.requireHumanApproval || wishes.requireHumanApproval === true,
    allowedSkillCategories: intersect(profile.allowedSkillCategories, wishes.allowedSkillCategories ?? []),
    maxCostPerPlan: least(profile.maxCostPerPlan, wishes.maxCostPerPlan ?? null),
    maxTotalCost: least(profile.maxTotalCost, wishes.maxTotalCost ?? null),
    maxRetriesPerStep: Math.min(
      profile.maxRetriesPerStep,
      wishes.maxRetriesPerStep ?? profile.maxRetriesPerStep,
    ),
  }
}

/** No skill has this category: it stands alone in a list where two wishes leave none. An empty list means "all". */
const NO_CATEGORY = 'none'

function intersect(left: readonly string[], right: readonly string[]): readonly string[] {
  if (left.length === 0) return right
  if (right.length === 0) return left
  const both = left.filter(category => right.includes(category))
  return both.length === 0 ? [NO_CATEGORY] : both
}

function least(left: number | null, right: number | null): number | null {
  if (left === null) return right
  return right === null ? left : Math.min(left, right)
}

function fieldsOf(safety: SafetyProfile): (keyof SafetyProfile)[] {
  return Object.keys(safety) as (keyof SafetyProfile)[] // of a type with exactly these fields
}

function isSame(left: SafetyProfile[keyof SafetyProfile], right: typeof left): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
