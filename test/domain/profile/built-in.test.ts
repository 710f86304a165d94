import { describe, expect, it } from 'vitest'
import { automationGateNames, flagOf } from '../../../src/domain/gate/automation.ts'
import { builtInProfiles } from '../../../src/domain/profile/built-in.ts'

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
