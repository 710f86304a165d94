import { describe, expect, it } from 'vitest'
import { automationGateNames, flagOf } from '../../../src/domain/gate/automation.ts'
import { sandboxed } from '../../../src/domain/profile/built-in.ts'
import { parseProfile } from '../../../src/infrastructure/profiles/parse-profile.ts'

function parse(text: string, thresholds: 'some' | 'all' = 'some') {
  return parseProfile({ file: 'p.yaml', text, thresholds })
}

/** `line:column path: message`, one a line. */
function errorsOf(text: string, thresholds: 'some' | 'all' = 'some'): string[] {
  const parsed = parse(text, thresholds)
  return parsed.ok ? [] : parsed.failure.message.split('\n').map(line => line.replace(/^p\.yaml:/, ''))
}

function noticesOf(text: string): string[] {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value.notices.map(notice => notice.replace(/^p\.yaml:/, ''))
}

const flags = automationGateNames.map(flagOf)
const whole = `name: acme/careful\n${flags.map((flag, at) => `${flag}: ${at / 10}\n`).join('')}`

describe('a profile file', () => {
  it('is read whole, with nothing to be noticed', () => {
    const text = `${whole}description: For the shop
safety: {require_human_approval: true, max_retries_per_step: 0, max_cost_per_plan: 2, max_total_cost: 2}
guards: {max_tool_calls_per_step: 0, tool_allowlist: [], require_approval_for_writes: true}
`
    const parsed = parse(text, 'all')
    if (!parsed.ok) throw new Error(parsed.failure.message)
    const { profile, notices } = parsed.value
    expect(notices).toEqual([])
    expect(profile).toEqual({
      name: 'acme/careful',
      description: 'For the shop',
      thresholds: Object.fromEntries(automationGateNames.map((gate, at) => [gate, at / 10])),
      safety: {
        ...sandboxed,
        requireHumanApproval: true,
        maxRetriesPerStep: 0,
        maxCostPerPlan: 2,
        maxTotalCost: 2,
      },
      guards: {
        maxToolCallsPerStep: 0,
        maxTotalCost: null,
        toolAllowlist: [],
        toolDenylist: null,
        requireApprovalForWrites: true,
        requireApprovalForApply: false,
      },
      childThresholds: {},
    })
  })

  it('tells everything that is wrong at once, in the order of the file', () => {
    const text = `name: auto
colour: red
select_tool: true
create_tool: 1.5
edit_code: .nan
execute_command: "0.3"
create_fiel: 0
autoApply: 1
safety:
  max_cost_per_plan: 9
  max_total_cost: 2
  max_retries_per_step: 101
  require_sandbx: true
guard:
  max_total_cost: -1
  tool_denylist: builtin/run_command
`
    expect(errorsOf(text)).toEqual([
      expect.stringContaining('1:1 name: auto is a built-in profile; choose another name, or local/auto.'),
      expect.stringMatching(/^2:1 colour: unknown key\./),
      '3:1 select_tool: must be a number, not true.',
      '4:1 create_tool: must be from 0 (passes by itself) to 1 (always asks).',
      expect.stringMatching(/^5:1 edit_code: must be a number, not /),
      '6:1 execute_command: must be a number, not "0.3".',
      '7:1 create_fiel: unknown key. Did you mean create_file or create_tool?',
      '8:1 autoApply: is what the flag select_tool means; write select_tool.',
      '10:3 safety.max_cost_per_plan: must not be more than max_total_cost, which is 2.',
      expect.stringMatching(/^12:3 safety\.max_retries_per_step: must be 0 to 100/),
      '13:3 safety.require_sandbx: unknown key. Did you mean require_sandbox?',
      '15:3 guard.max_total_cost: must be 0 or more.',
      '16:3 guard.tool_denylist: must be a list, not "builtin/run_command".',
    ])
  })

  it.each([
    ['- a\n', '1:1 must be a map'],
    ['', '1:1 the file is empty.'],
    ['name: [\n', '2:1'],
    ['name: a\nname: b\n', '2:1'],
    ['description: x\n', '1:1 name: is missing.'],
    ['name: "two words"\n', 'is not a profile name'],
    ['name: builtin/mine\n', '1:1 name: must not begin with builtin/'],
    ['name: demo\n', 'demo is a built-in profile'],
    ['name: a\nguards: {}\nguard: {}\n', '3:1 guard: is the older name of guards; leave one of them out.'],
    ['name: a\nguards: true\n', '2:1 guards: must be a map, not true.'],
    ['name: a\nguards: {tool_allowlist: [""]}\n', 'must not be empty'],
  ])('of %j is refused where it is wrong', (text, expected) => {
    expect(errorsOf(text).join('\n')).toContain(expected)
  })

  it('that leaves thresholds out asks there and says so, or is refused where all are wanted', () => {
    const text = 'name: acme/a\nselect_tool: 0\ncreate_tool: 0.5\n'
    const parsed = parse(text)
    expect(parsed.ok && parsed.value.profile.thresholds).toMatchObject({
      autoApply: 0,
      autoExecute: 0.5,
      decideInExecute: 1,
    })
    expect(noticesOf(text)).toEqual([
      expect.stringMatching(
        /^1:1 9 of 11 thresholds are missing and always ask \(1\.0\): decompose_task, .*approve_plan\.$/,
      ),
    ])
    expect(errorsOf(text, 'all')).toHaveLength(9)
    expect(errorsOf(text, 'all').join()).toContain(
      'execute_command: is missing, and --strict wants all eleven.',
    )
  })

  it.each([
    ['guard: {}\n', /^\d+:1 guard: is the older name of guards; write guards\.$/],
    [
      'safety: {require_sandbox: false}\n',
      /^\d+:10 safety\.require_sandbox: false only means that no sandbox is required/,
    ],
    ['safety: {require_checkpoints: false}\n', /^\d+:10 safety\.require_checkpoints: false only means/],
  ])('with %j is taken with a notice', (more, notice) => {
    expect(noticesOf(whole + more)).toEqual([expect.stringMatching(notice)])
  })

  it.each([
    ['strict', 'local/strict', ['1:1 name: has no namespace; it is stored as local/strict.']],
    ['local/strict', 'local/strict', []],
    ['acme/auto', 'acme/auto', []],
    ['eu:acme/strict', 'eu:acme/strict', []],
    [
      'local/auto',
      'local/auto',
      ['1:1 name: auto alone always means the built-in profile; write local/auto to get this one.'],
    ],
  ])('called %s is %s', (name, stored, notices) => {
    const text = whole.replace('acme/careful', name)
    const parsed = parse(text)
    expect(parsed.ok && parsed.value.profile.name).toBe(stored)
    expect(noticesOf(text)).toEqual(notices)
  })
})
