import { type Result, refuse } from '../failure.ts'
import { nearest, suggest } from '../nearest.ts'
import type { AutomationProfile, ProfileSource } from './profile.ts'

export interface ProfileWishes {
  readonly plan: string | null
  readonly action: string | null
  readonly project: string | null
  readonly global: string | null
}

/**
 * plan flag > action > project > global (configuration or environment) > `manual` (requirements PROF-04, X-12).
 * An unknown name is refused with the known ones; it never falls back to another profile.
 */
export function chooseProfile(
  wishes: ProfileWishes,
  known: readonly AutomationProfile[],
): Result<{ profile: AutomationProfile; source: ProfileSource }> {
  const order = ['plan', 'action', 'project', 'global'] as const
  const source = order.find(level => wishes[level] !== null)
  const name = source ? wishes[source] : 'manual'
  const profile = known.find(candidate => candidate.name === name)
  if (!profile) return unknownProfile(name ?? '', known)
  return { ok: true, value: { profile, source: source ?? 'default' } }
}

export function unknownProfile(name: string, known: readonly AutomationProfile[]) {
  const names = known.map(profile => profile.name)
  return refuse('not_found', `There is no automation profile ${name}. ${suggest(name, names)}`, {
    name,
    nearest: nearest(name, names),
    known: names,
  })
}
