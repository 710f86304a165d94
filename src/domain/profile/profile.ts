import * as z from 'zod'
import { automationGateNames } from '../gate/automation.ts'

export const safetyProfileSchema = z.object({
  requireSandbox: z.boolean(),
  requireCheckpoints: z.boolean(),
  allowUnsafeTools: z.boolean(),
  requireHumanApproval: z.boolean(),
  /** Empty means all categories. */
  allowedSkillCategories: z.array(z.string()).readonly(),
  /** US dollars; null means no limit. */
  maxCostPerPlan: z.number().nonnegative().nullable(),
  maxTotalCost: z.number().nonnegative().nullable(),
  maxRetriesPerStep: z.number().int().min(0).max(100),
})

/** Ask-first rules over tools, whatever the thresholds say; null = no such rule (requirements GRD-01). */
export const guardsSchema = z.object({
  maxToolCallsPerStep: z.number().int().nonnegative().nullable(),
  /** US dollars that the plan's tools may cost before a person is asked. */
  maxTotalCost: z.number().nonnegative().nullable(),
  /** Empty = no tool runs by itself. */
  toolAllowlist: z.array(z.string()).readonly().nullable(),
  toolDenylist: z.array(z.string()).readonly().nullable(),
  requireApprovalForWrites: z.boolean(),
  requireApprovalForApply: z.boolean(),
})

/** The stored form: a plan keeps its profile by value. */
export const automationProfileSchema = z.object({
  name: z.string(),
  description: z.string(),
  thresholds: z.record(z.enum(automationGateNames), z.number().min(0).max(1)),
  safety: safetyProfileSchema,
  guards: guardsSchema.nullable().default(null),
  /** What its child plans have instead of its own thresholds: whoever picks the profile picks these with it. */
  childThresholds: z.partialRecord(z.enum(automationGateNames), z.number().min(0).max(1)).default({}),
})

/** Hard limits that hold whatever the thresholds say. */
export type SafetyProfile = Readonly<z.infer<typeof safetyProfileSchema>>

export type Guards = Readonly<z.infer<typeof guardsSchema>>

/** A named bundle of confidence thresholds, hard safety limits and guards. */
export type AutomationProfile = Readonly<z.infer<typeof automationProfileSchema>>

/** Whether commands run under it without a person who ever saw the plan: nothing on the way to them is asked. */
export function runsUnattended({ thresholds }: AutomationProfile): boolean {
  return thresholds.autoExecute === 0 && thresholds.decideInExecute === 0
}

/** Nothing of a plan under it ever waits for a person by a threshold: nobody is there to be asked. */
export function neverAsks({ thresholds, safety }: AutomationProfile): boolean {
  return !safety.requireHumanApproval && Object.values(thresholds).every(threshold => threshold === 0)
}

/** Where a plan's profile came from, strongest first; `global` is the settings file. */
export const profileSources = [
  'parent',
  'plan',
  'action',
  'project',
  'flag',
  'environment',
  'global',
  'default',
] as const
export type ProfileSource = (typeof profileSources)[number]
