import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { builtInProfiles, sandboxed } from '../../../src/domain/profile/built-in.ts'
import { demoProfile } from '../../../src/domain/profile/demo.ts'
import type { SafetyProfile } from '../../../src/domain/profile/profile.ts'
import { inherit, stricter, tighten } from '../../../src/domain/profile/safety.ts'
import { aProfile } from '../../support/records.ts'

const free = builtInProfiles.find(profile => profile.name === 'full-auto')?.safety ?? sandboxed

const amount = fc.option(fc.integer({ min: 0, max: 9 }))
const categories = fc.subarray(['text', 'shell', 'web'])
const safety: fc.Arbitrary<SafetyProfile> = fc.record({
  requireSandbox: fc.boolean(),
  requireCheckpoints: fc.boolean(),
  allowUnsafeTools: fc.boolean(),
  requireHumanApproval: fc.boolean(),
  allowedSkillCategories: categories,
  maxCostPerPlan: amount,
  maxTotalCost: amount,
  maxRetriesPerStep: fc.integer({ min: 0, max: 100 }),
})
const wishes: fc.Arbitrary<Partial<SafetyProfile>> = safety.chain(whole =>
  fc
    .subarray(Object.keys(whole))
    .map(keys => Object.fromEntries(Object.entries(whole).filter(([key]) => keys.includes(key)))),
)

/** Whether whatever the first one allows, the second one allows too. */
function allowsNoMoreThan(one: SafetyProfile, other: SafetyProfile): boolean {
  const within = (cap: number | null, limit: number | null) =>
    limit === null || (cap !== null && cap <= limit)
  const skills = ['text', 'shell', 'web', 'other']
  const allowed = (each: SafetyProfile, skill: string) =>
    each.allowedSkillCategories.length === 0 || each.allowedSkillCategories.includes(skill)
  return (
    (one.requireSandbox || !other.requireSandbox) &&
    (one.requireCheckpoints || !other.requireCheckpoints) &&
    (one.requireHumanApproval || !other.requireHumanApproval) &&
    (!one.allowUnsafeTools || other.allowUnsafeTools) &&
    skills.every(skill => !allowed(one, skill) || allowed(other, skill)) &&
    within(one.maxCostPerPlan, other.maxCostPerPlan) &&
    within(one.maxTotalCost, other.maxTotalCost) &&
    one.maxRetriesPerStep <= other.maxRetriesPerStep
  )
}

describe('wishes for more safety', () => {
  it.each([
    [{ requireSandbox: true }, { requireSandbox: true }],
    [{ allowUnsafeTools: false }, { allowUnsafeTools: false }],
    [{ requireHumanApproval: true }, { requireHumanApproval: true }],
    [{ maxRetriesPerStep: 1 }, { maxRetriesPerStep: 1 }],
    [{ maxRetriesPerStep: 9 }, { maxRetriesPerStep: 3 }],
    [{ maxCostPerPlan: 2 }, { maxCostPerPlan: 2 }],
    [{ allowedSkillCategories: ['text'] }, { allowedSkillCategories: ['text'] }],
  ])('make of full-auto, with %o, what was wished for', (wish, effect) => {
    expect(stricter(free, wish)).toEqual({ ...free, ...effect })
  })

  it('that share no category leave none, not all', () => {
    const text = stricter(free, { allowedSkillCategories: ['text'] })
    expect(stricter(text, { allowedSkillCategories: ['web'] }).allowedSkillCategories).toEqual(['none'])
  })

  test('never allow more than either side, in whatever order they come', () => {
    fc.assert(
      fc.property(safety, wishes, wishes, (base, one, other) => {
        const both = stricter(stricter(base, one), other)
        expect(allowsNoMoreThan(both, base)).toBe(true)
        expect(allowsNoMoreThan(both, stricter(base, other))).toBe(true)
        expect(allowsNoMoreThan(both, stricter(stricter(base, other), one))).toBe(true)
        expect(stricter(both, one)).toEqual(both)
      }),
    )
  })

  test('are noted by exactly the fields that they changed', () => {
    fc.assert(
      fc.property(safety, wishes, (base, wish) => {
        const before = { profile: aProfile({ safety: base }), safetySources: {} }
        const { profile, safetySources } = tighten(before, wish, 'action')
        const changed = Object.entries(profile.safety).filter(
          ([field, value]) =>
            JSON.stringify(value) !== JSON.stringify(Object.entries(base).find(([f]) => f === field)?.[1]),
        )
        expect(safetySources).toEqual(Object.fromEntries(changed.map(([field]) => [field, 'action'])))
      }),
    )
  })
})

describe('a child', () => {
  it('has the thresholds of its parent and its safety, or a stricter one, whatever the parent is called', () => {
    const parent = aProfile({ name: 'demo', safety: free })
    const child = inherit(
      { profile: parent, safetySources: { requireSandbox: 'project' } },
      { requireSandbox: true, allowUnsafeTools: true, maxRetriesPerStep: 1 },
    )
    expect(child.profile).toEqual({
      ...parent,
      safety: { ...free, requireSandbox: true, maxRetriesPerStep: 1 },
    })
    expect(child.safetySources).toMatchObject({
      requireSandbox: 'action',
      maxRetriesPerStep: 'action',
      allowUnsafeTools: 'parent',
    })
  })

  it('of the demo, and below it, goes on to Execute by itself, as the profile says and shows', () => {
    const child = inherit({ profile: demoProfile, safetySources: {} }, null)
    const below = inherit(child, null)
    for (const { profile } of [child, below])
      expect(profile.thresholds).toEqual({ ...demoProfile.thresholds, autoExecute: 0 })
  })
})
