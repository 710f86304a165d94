import { sandboxed, thresholdFor } from './built-in.ts'
import type { AutomationProfile } from './profile.ts'

/** The demo's own profile: exactly two gates, before Execute and before Apply. Not one of the eight built-ins. */
export const demoProfile: AutomationProfile = {
  name: 'demo',
  description: 'Asks twice: before Execute and before Apply',
  thresholds: thresholdFor(gate => (gate === 'autoExecute' || gate === 'autoApply' ? 1 : 0)),
  safety: sandboxed,
  guards: null,
}

/** What the demo's children do belongs to the strategy that was asked about, so with them too it asks exactly twice. */
export function profileUnder(profile: AutomationProfile): AutomationProfile {
  if (profile.name !== demoProfile.name) return profile
  return { ...profile, thresholds: { ...profile.thresholds, autoExecute: 0 } }
}
