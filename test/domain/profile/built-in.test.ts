import { describe, expect, it } from 'vitest'
import { automationGateNames, flagOf } from '../../../src/domain/gate/automation.ts'
import { builtInProfiles } from '../../../src/domain/profile/built-in.ts'
import { chooseProfile } from '../../../src/domain/profile/precedence.ts'
import { stricter } from '../../../src/domain/profile/safety.ts'

const table = `
flag               manual review supervised cautious trusted auto ci full-auto
decompose_task     1.0    0.0    0.0        0.7      0.0     0.0  0.0 0.0
create_tool        1.0    0.0    1.0        0.7      0.0     0.0  0.0 0.0
select_tool        1.0    1.0    1.0        1.0      1.0     1.0  0.0 0.0
edit_code          1.0    1.0    0.0        0.6      0.0     0.0  0.0 0.0
execute_command    1.0    1.0    1.0        0.8      0.0     0.0  0.0 0.0
create_file        1.0    1.0    1.0        0.7      0.0     0.0  0.0 0.0
delete_content     1.0    1.0    1.0        0.8      1.0     0.0  0.0 0.0
access_network     1.0    1.0    1.0        0.9      1.0     1.0  0.0 0.0
install_dependency 1.0    0.0    1.0        0.7      0.0     0.0  0.0 0.0
modify_config      1.0    0.0    0.0        0.0      0.0     0.0  0.0 0.0
approve_plan       1.0    1.0    1.0        0.6      1.0     0.0  0.0 0.0`

describe('the built-in profiles', () => {
  it('have exactly the thresholds of the published table', () => {
    const [head = [], ...rows] = table
      .trim()
      .split('\n')
      .map(line => line.split(/\s+/))
    expect(builtInProfiles.map(profile => profile.name)).toEqual(head.slice(1))
    const printed = automationGateNames.map(gate => [
      flagOf(gate),
      ...builtInProfiles.map(profile => profile.thresholds[gate].toFixed(1)),
    ])
    expect(printed).toEqual(rows)
  })

  it('insist on a sandbox and on checkpoints, except full-auto', () => {
    for (const { name, safety } of builtInProfiles) {
      const free = name === 'full-auto'
      expect(safety).toEqual({
        requireSandbox: !free,
        requireCheckpoints: !free,
        allowUnsafeTools: free,
        requireHumanApproval: false,
        allowedSkillCategories: [],
        maxCostPerPlan: null,
        maxTotalCost: null,
        maxRetriesPerStep: 3,
      })
    }
  })
})

describe('choosing a profile', () => {
  const nobody = { plan: null, action: null, project: null, global: null }

  it.each([
    [{ ...nobody, plan: 'ci', action: 'auto', project: 'review', global: 'trusted' }, 'ci', 'plan'],
    [{ ...nobody, action: 'auto', project: 'review', global: 'trusted' }, 'auto', 'action'],
    [{ ...nobody, project: 'review', global: 'trusted' }, 'review', 'project'],
    [{ ...nobody, global: 'trusted' }, 'trusted', 'global'],
    [nobody, 'manual', 'default'],
  ])('takes the strongest wish of %o', (wishes, name, source) => {
    const chosen = chooseProfile(wishes, builtInProfiles)
    expect(chosen.ok && [chosen.value.profile.name, chosen.value.source]).toEqual([name, source])
  })

  it('refuses an unknown name and lists the known ones', () => {
    const chosen = chooseProfile({ ...nobody, plan: 'superviced' }, builtInProfiles)
    expect(chosen.ok).toBe(false)
    if (chosen.ok) return
    expect(chosen.failure.code).toBe('not_found')
    expect(chosen.failure.message).toContain('supervised')
  })
})

describe('an action that wants more safety', () => {
  const base = builtInProfiles.find(profile => profile.name === 'full-auto')?.safety
  if (!base) throw new Error('full-auto is missing')

  it.each([
    [{ requireSandbox: true }, { requireSandbox: true }],
    [{ allowUnsafeTools: false }, { allowUnsafeTools: false }],
    [{ requireHumanApproval: true }, { requireHumanApproval: true }],
    [{ maxRetriesPerStep: 1 }, { maxRetriesPerStep: 1 }],
    [{ maxRetriesPerStep: 9 }, { maxRetriesPerStep: 3 }],
    [{ maxCostPerPlan: 2 }, { maxCostPerPlan: 2 }],
    [{ allowedSkillCategories: ['text'] }, { allowedSkillCategories: ['text'] }],
  ])('gets it with %o, and never less', (wish, effect) => {
    expect(stricter(base, wish)).toEqual({ ...base, ...effect })
  })

  it('cannot loosen what the profile insists on', () => {
    const strict = builtInProfiles[0]?.safety ?? base
    expect(stricter(strict, { requireSandbox: false, allowUnsafeTools: true })).toEqual(strict)
  })
})
