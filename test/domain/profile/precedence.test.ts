import { describe, expect, it } from 'vitest'
import { builtInProfiles } from '../../../src/domain/profile/built-in.ts'
import { chooseProfile, type ProfileWishes, profileNamed } from '../../../src/domain/profile/precedence.ts'
import { aProfile } from '../../support/records.ts'

const nobody: ProfileWishes = {
  plan: null,
  action: null,
  project: null,
  flag: null,
  environment: null,
  global: null,
}

/** Each level with a profile of its own, strongest first. */
const ladder = [
  ['plan', 'ci'],
  ['action', 'auto'],
  ['project', 'review'],
  ['flag', 'cautious'],
  ['environment', 'supervised'],
  ['global', 'trusted'],
] as const

describe('choosing a profile', () => {
  it('takes the strongest wish of any that there are, and manual where there is none', () => {
    for (let set = 0; set < 2 ** ladder.length; set++) {
      const present = ladder.filter((_, level) => (set & (1 << level)) !== 0)
      const [strongest = ['default', 'manual']] = present
      const chosen = chooseProfile({ ...nobody, ...Object.fromEntries(present) }, builtInProfiles)
      expect(chosen.ok && [chosen.value.source, chosen.value.profile.name]).toEqual(strongest)
    }
  })

  it.each([
    ['superviced', 'plan', 'There is no automation profile superviced. Did you mean supervised?'],
    ['relaxed', 'environment', 'profile relaxed (CLEVERAGENTS_AUTOMATION_PROFILE names it).'],
    ['relaxed', 'action', 'profile relaxed (its action names it).'],
    ['', 'global', 'profile  (the setting core.automation-profile names it).'],
  ])('refuses the unknown name %j of the %s and lists the known ones', (name, level, message) => {
    const chosen = chooseProfile({ ...nobody, [level]: name }, builtInProfiles)
    if (chosen.ok) throw new Error('it fell back to another profile')
    expect(chosen.failure.code).toBe('not_found')
    expect(chosen.failure.message).toContain(message)
    expect(chosen.failure.message).toContain(
      'Known: manual, review, supervised, cautious, trusted, auto, ci, full-auto.',
    )
  })

  it.each([
    ['auto', 'auto'],
    ['local/auto', 'local/auto'],
    ['careful', 'local/careful'],
    ['acme/careful', 'acme/careful'],
    ['strict', null],
    ['local/manual', null],
  ])('finds %s as %s', (name, found) => {
    const own = ['local/auto', 'local/careful', 'acme/careful', 'acme/strict'].map(each =>
      aProfile({ name: each }),
    )
    expect(profileNamed(name, [...builtInProfiles, ...own])?.name ?? null).toBe(found)
  })
})
