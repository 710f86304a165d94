import { type Result, refuse } from '../../domain/failure.ts'
import { builtInNames } from '../../domain/profile/built-in.ts'
import { isReserved, unknownProfile } from '../../domain/profile/precedence.ts'
import type { AutomationProfile } from '../../domain/profile/profile.ts'
import type { DeletedProfile, ProfileText } from '../backend/profile.ts'
import type { ParsedProfile, RegisteredProfile } from '../ports/profile.ts'
import type { Ports } from '../ports.ts'
import { listProfiles } from './find-profile.ts'
import { whoNames } from './who-names.ts'

/** Registers a profile under a name that is free. Plans that exist keep their own copies, whatever happens here. */
export function addProfile(ports: Ports, source: ProfileText): Result<ParsedProfile> {
  const parsed = ports.profiles.parse(source)
  if (!parsed.ok) return parsed
  const { name } = parsed.value.profile
  return ports.store.transaction(() => {
    if (ports.store.profiles.find(name))
      return refuse(
        'already_exists',
        `There is already a profile ${name}. To change it: agents automation-profile update ${name} --config FILE`,
        { name },
      )
    put(ports, parsed.value.profile, source.text, null)
    return parsed
  })
}

/** The file names the profile too, so that no other one is overwritten by a slip. */
export function updateProfile(ports: Ports, name: string, source: ProfileText): Result<ParsedProfile> {
  const registered = findRegistered(ports, name)
  if (!registered.ok) return registered
  const parsed = ports.profiles.parse(source)
  if (!parsed.ok) return parsed
  const { profile } = parsed.value
  if (profile.name !== registered.value.name)
    return refuse(
      'invalid_input',
      `${source.file} holds ${profile.name}, not ${registered.value.name}. Correct its name, or add it as a profile of its own.`,
      { name: profile.name },
    )
  put(ports, profile, source.text, registered.value)
  return parsed
}

/**
 * Refused while an action or a setting still names it: what they would start then is refused (requirements GAP-36).
 * Approvals that were given for all plans of the profile end with it.
 */
export function deleteProfile(
  ports: Ports,
  name: string,
  how: 'unless_named' | 'forced',
): Result<DeletedProfile> {
  return ports.store.transaction(() => {
    const registered = findRegistered(ports, name)
    if (!registered.ok) return registered
    const { profile } = registered.value
    const namedBy = whoNames(ports, profile.name)
    if (namedBy.length > 0 && how !== 'forced')
      return refuse(
        'invalid_state',
        `The profile ${profile.name} is named by ${namedBy.join(', ')}. Name another one there, or delete it all the same with --force; plans that would start under it are refused then.`,
        { name: profile.name, named_by: namedBy },
      )
    ports.store.profiles.remove(profile.name)
    const ended = ports.store.grants
      .list(null)
      .filter(
        ({ scope, revokedAt }) => scope.kind === 'profile' && scope.profile === profile.name && !revokedAt,
      )
    for (const { grantId } of ended) ports.store.grants.revoke(grantId, ports.clock.now())
    return { ok: true, value: { profile, namedBy, revokedGrants: ended.length } }
  })
}

function put(ports: Ports, profile: AutomationProfile, text: string, before: RegisteredProfile | null): void {
  const now = ports.clock.now()
  const createdAt = before?.createdAt ?? now
  ports.store.profiles.put({ name: profile.name, profile, text, createdAt, updatedAt: now })
}

function findRegistered(ports: Ports, name: string): Result<RegisteredProfile> {
  if (isReserved(name))
    return refuse(
      'denied',
      `${name} is a built-in profile; it cannot be changed or deleted. Add one of your own instead.`,
      { name, built_in: builtInNames },
    )
  const { profiles } = ports.store
  const found = profiles.find(name) ?? (name.includes('/') ? null : profiles.find(`local/${name}`))
  return found ? { ok: true, value: found } : unknownProfile(name, listProfiles(ports))
}
