import { automationGateNames, automationGates } from '../../src/domain/gate/automation.ts'
import { builtInProfiles } from '../../src/domain/profile/built-in.ts'
import type { SafetyProfile } from '../../src/domain/profile/profile.ts'
import { code, guideWith, markdownTable } from './section.ts'

export function profilesGuide(): string {
  return guideWith('docs/profiles.md', {
    profiles: profileList,
    thresholds: thresholdTable,
    safety: safetyTable,
  })
}

function profileList(): string {
  return builtInProfiles.map(({ name, description }) => `- ${code(name)}: ${description}.`).join('\n')
}

function thresholdTable(): string {
  const rows = automationGateNames.map(gate => [
    automationGates[gate].what,
    code(automationGates[gate].flag),
    ...builtInProfiles.map(profile => thresholdWord(profile.thresholds[gate])),
  ])
  return markdownTable(['may it, without asking', 'flag', ...builtInProfiles.map(({ name }) => name)], rows)
}

function thresholdWord(threshold: number): string {
  if (threshold >= 1) return '1 asks'
  return threshold <= 0 ? '0' : threshold.toFixed(1)
}

function safetyTable(): string {
  const rows = Object.entries(safetyWords).map(([field, words]) => [
    words,
    // The entries of a record with exactly these keys.
    ...builtInProfiles.map(({ safety }) => safetyWord(safety[field as keyof typeof safetyWords])),
  ])
  return markdownTable(['', ...builtInProfiles.map(({ name }) => name)], rows)
}

const safetyWords = {
  requireSandbox: 'needs a sandbox',
  requireCheckpoints: 'needs checkpoints',
  allowUnsafeTools: 'unsafe tools may run',
  requireHumanApproval: 'a person approves every step',
  maxRetriesPerStep: 'retries of a step at most',
} satisfies Partial<Record<keyof SafetyProfile, string>>

function safetyWord(value: boolean | number): string {
  return typeof value === 'number' ? String(value) : value ? 'yes' : 'no'
}
