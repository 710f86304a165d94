import { sandboxed, thresholdFor } from './built-in.ts'
import type { AutomationProfile } from './profile.ts'

/**
 * The demo's own profile: exactly two gates, before Execute and before Apply. What its children do belongs to the
 * strategy that the first one asks about. Not one of the eight built-ins.
 */
export const demoProfile: AutomationProfile = {
  name: 'demo',
  description: 'Asks twice: before Execute and before Apply',
  thresholds: thresholdFor(gate => (gate === 'autoExecute' || gate === 'autoApply' ? 1 : 0)),
  safety: sandboxed,
  guards: null,
  childThresholds: { autoExecute: 0 },
}
