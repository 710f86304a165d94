import type { Result } from '../../domain/failure.ts'
import { builtInProfiles } from '../../domain/profile/built-in.ts'
import { demoProfile } from '../../domain/profile/demo.ts'
import { profileNamed, unknownProfile } from '../../domain/profile/precedence.ts'
import type { AutomationProfile } from '../../domain/profile/profile.ts'
import type { Ports } from '../ports.ts'

/** The eight built-in ones in their order, then the registered ones by name. */
export function listProfiles({ store }: Pick<Ports, 'store'>): AutomationProfile[] {
  return [...builtInProfiles, ...store.profiles.list().map(({ profile }) => profile)]
}

/** Those that can be named: the demo's own, which nobody is offered, among them. */
export function knownProfiles(ports: Pick<Ports, 'store'>): AutomationProfile[] {
  return [...listProfiles(ports), demoProfile]
}

export function findProfile(ports: Pick<Ports, 'store'>, name: string): Result<AutomationProfile> {
  const found = profileNamed(name, knownProfiles(ports))
  return found ? { ok: true, value: found } : unknownProfile(name, listProfiles(ports))
}
