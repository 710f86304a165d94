import { type Result, refuse } from '../failure.ts'
import { nearest } from '../nearest.ts'
import { builtInNames } from './built-in.ts'
import type { AutomationProfile, ProfileSource } from './profile.ts'

/** Who can wish for a profile, strongest first (requirements PROF-04, and X-12 for the last three). */
const levels = [
  'plan',
  'action',
  'project',
  'flag',
  'environment',
  'global',
] as const satisfies ProfileSource[]

export type ProfileWishes = Readonly<Record<(typeof levels)[number], string | null>>

/** Without any wish it is `manual`. An unknown name is refused with the known ones; it never falls back to another. */
export function chooseProfile(
  wishes: ProfileWishes,
  known: readonly AutomationProfile[],
): Result<{ profile: AutomationProfile; source: ProfileSource }> {
  const source = levels.find(level => wishes[level] !== null)
  const name = (source && wishes[source]) ?? 'manual'
  const profile = profileNamed(name, known)
  if (!profile) return unknownProfile(name, known, source)
  return { ok: true, value: { profile, source: source ?? 'default' } }
}

/** A bare name is a built-in profile first, then one of `local/` (requirements X-09). */
export function profileNamed(name: string, known: readonly AutomationProfile[]): AutomationProfile | null {
  const find = (wanted: string) => known.find(candidate => candidate.name === wanted)
  return find(name) ?? (name.includes('/') ? undefined : find(`local/${name}`)) ?? null
}

const namedBy: Readonly<Record<ProfileSource, string>> = {
  parent: 'its parent names it',
  plan: 'asked for with this plan',
  action: 'its action names it',
  project: 'the setting core.automation-profile of this project names it',
  flag: 'the setting core.automation-profile on the command line names it',
  environment: 'CLEVERAGENTS_AUTOMATION_PROFILE names it',
  global: 'the setting core.automation-profile names it',
  default: 'nothing else is named',
}

export function unknownProfile(
  name: string,
  known: readonly AutomationProfile[],
  source: ProfileSource | null = null,
) {
  const names = known.map(profile => profile.name)
  const near = nearest(name, names)
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  const by = source === null || source === 'plan' ? '' : ` (${namedBy[source]})`
  const message = `There is no automation profile ${name}${by}.${hint} Known: ${names.join(', ')}.`
  return refuse('not_found', message, { name, nearest: near, known: names })
}

/** Names that belong to no namespace and are ours alone. */
export function isReserved(name: string): boolean {
  return name === 'demo' || builtInNames.some(builtIn => builtIn === name)
}
