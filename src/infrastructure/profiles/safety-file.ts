import * as z from 'zod'
import type { SafetyProfile } from '../../domain/profile/profile.ts'

const amount = z.number().min(0, 'must be 0 or more').nullable()

/** A safety profile as files write it: `safety` of an automation profile, `safety_profile` of an action. */
export const safetyFile = z.strictObject({
  require_sandbox: z.boolean().optional(),
  require_checkpoints: z.boolean().optional(),
  allow_unsafe_tools: z.boolean().optional(),
  require_human_approval: z.boolean().optional(),
  allowed_skill_categories: z.array(z.string()).optional(),
  max_cost_per_plan: amount.optional(),
  max_total_cost: amount.optional(),
  max_retries_per_step: z.int().min(0, 'must be 0 to 100').max(100, 'must be 0 to 100').optional(),
})

/** Only what is written there. */
export function readSafety(written: z.output<typeof safetyFile>): Partial<SafetyProfile> {
  const named = {
    requireSandbox: written.require_sandbox,
    requireCheckpoints: written.require_checkpoints,
    allowUnsafeTools: written.allow_unsafe_tools,
    requireHumanApproval: written.require_human_approval,
    allowedSkillCategories: written.allowed_skill_categories,
    maxCostPerPlan: written.max_cost_per_plan,
    maxTotalCost: written.max_total_cost,
    maxRetriesPerStep: written.max_retries_per_step,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}
