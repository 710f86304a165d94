import type { SafetyProfile } from './profile.ts'

/** An action's own safety wishes make a profile's stricter, field by field, and never looser (requirements X-17). */
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

/** An empty list means "all". */
function intersect(left: readonly string[], right: readonly string[]): readonly string[] {
  if (left.length === 0) return right
  if (right.length === 0) return left
  return left.filter(category => right.includes(category))
}

function least(left: number | null, right: number | null): number | null {
  if (left === null) return right
  return right === null ? left : Math.min(left, right)
}
