import { type AutomationGate, automationGateNames } from '../gate/automation.ts'
import type { AutomationProfile, SafetyProfile } from './profile.ts'

/** Reserved, immutable, without a namespace; in the order in which people adopt them. */
export const builtInNames = [
  'manual',
  'review',
  'supervised',
  'cautious',
  'trusted',
  'auto',
  'ci',
  'full-auto',
] as const
export type BuiltInName = (typeof builtInNames)[number]

/** The authoritative table (requirements 2.7): 0 always passes, 1 always asks. Columns as `builtInNames`. */
const thresholds: Record<AutomationGate, readonly number[]> = {
  autoStrategize: [1.0, 0.0, 0.0, 0.7, 0.0, 0.0, 0.0, 0.0],
  autoExecute: [1.0, 0.0, 1.0, 0.7, 0.0, 0.0, 0.0, 0.0],
  autoApply: [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
  decideInStrategize: [1.0, 1.0, 0.0, 0.6, 0.0, 0.0, 0.0, 0.0],
  decideInExecute: [1.0, 1.0, 1.0, 0.8, 0.0, 0.0, 0.0, 0.0],
  fixValidations: [1.0, 1.0, 1.0, 0.7, 0.0, 0.0, 0.0, 0.0],
  reviseStrategy: [1.0, 1.0, 1.0, 0.8, 1.0, 0.0, 0.0, 0.0],
  revertConstrainedApply: [1.0, 1.0, 1.0, 0.9, 1.0, 1.0, 0.0, 0.0],
  spawnChildren: [1.0, 0.0, 1.0, 0.7, 0.0, 0.0, 0.0, 0.0],
  retryTransient: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
  restoreCheckpoint: [1.0, 1.0, 1.0, 0.6, 1.0, 0.0, 0.0, 0.0],
}

const descriptions: Record<BuiltInName, string> = {
  manual: 'Every step waits for you',
  review: 'Phases go on by themselves; every decision and the apply wait for you',
  supervised: 'Plans by itself; Execute and everything in it wait for you',
  cautious: 'Passes what it is confident about, asks about the rest',
  trusted: 'Executes by itself; revisions and the apply wait for you',
  auto: 'Everything by itself except the apply',
  ci: 'Everything by itself inside a sandbox, for unattended runs',
  'full-auto': 'Everything by itself; sandbox and checkpoints are optional',
}

/** What every profile but full-auto insists on. */
export const sandboxed: SafetyProfile = {
  requireSandbox: true,
  requireCheckpoints: true,
  allowUnsafeTools: false,
  requireHumanApproval: false,
  allowedSkillCategories: [],
  maxCostPerPlan: null,
  maxTotalCost: null,
  maxRetriesPerStep: 3,
}

export const builtInProfiles: readonly AutomationProfile[] = builtInNames.map((name, column) => ({
  name,
  description: descriptions[name],
  thresholds: thresholdsOf(column),
  safety:
    name === 'full-auto'
      ? { ...sandboxed, requireSandbox: false, requireCheckpoints: false, allowUnsafeTools: true }
      : sandboxed,
  guards: null,
  childThresholds: {},
}))

function thresholdsOf(column: number): Record<AutomationGate, number> {
  return thresholdFor(gate => thresholds[gate][column] ?? 1)
}

export function thresholdFor(value: (gate: AutomationGate) => number): Record<AutomationGate, number> {
  const rows = automationGateNames.map(gate => [gate, value(gate)])
  return Object.fromEntries(rows) as Record<AutomationGate, number> // complete: one row for each gate name
}
