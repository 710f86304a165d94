import { describe, expect, it } from 'vitest'
import type { PreflightFacts, ToolUse } from '../../../src/domain/preflight/facts.ts'
import {
  failureWords,
  hasFailed,
  type PreflightId,
  preflight,
} from '../../../src/domain/preflight/preflight.ts'
import { aProfile } from '../../support/records.ts'

const capability = { readOnly: false, writes: true, checkpointable: true, sideEffects: [], unsafe: false }

function use(
  name: string,
  tool: { category?: string; can?: Partial<typeof capability> } | null = {},
): ToolUse {
  return {
    name,
    action: 'local/a',
    tool: tool && { category: tool.category ?? 'edit', capability: { ...capability, ...tool.can } },
  }
}

const profile = aProfile()
const withSafety = (safety: Partial<typeof profile.safety>) =>
  aProfile({ safety: { ...profile.safety, ...safety } })

const well: PreflightFacts = {
  action: { name: 'local/a', archived: false, unavailable: null },
  actors: [{ role: 'strategy', name: 'builtin/recipe', problem: null }],
  tools: [
    use('builtin/write_file'),
    use('builtin/read_file', { can: { writes: false, checkpointable: false } }),
  ],
  missingActions: [],
  unknownConfirmations: [],
  profile,
  sandbox: { kind: 'chosen', name: 'git_worktree', place: 'beside', restores: 'always' },
  resources: [{ name: 'shop', restores: 'always', problem: null }],
  folderProblem: null,
  validations: { problems: [], untrusted: false, project: 'local/shop' },
  estimateUsd: null,
  isAttended: true,
}

const none = { kind: 'chosen', name: 'none', place: 'in_place', restores: 'never' } as const
const noModel = 'local/a needs the model actor model.'
const lax = withSafety({ requireSandbox: false, requireCheckpoints: false })

describe('the checks before a plan', () => {
  it('are seven, and pass where all is well', () => {
    expect(preflight(well).map(({ id, status }) => `${id} ${status}`)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map(number => `PRE-0${number} passed`),
    )
  })

  it.each<[string, Partial<PreflightFacts>, PreflightId[], string]>([
    ['an archived action', { action: { ...well.action, archived: true } }, ['PRE-01'], 'is archived'],
    [
      'one that is not for use',
      { action: { ...well.action, unavailable: 'Not by hand.' } },
      ['PRE-01'],
      'Not by hand.',
    ],
    [
      'an actor that is not there, told once',
      {
        action: { ...well.action, unavailable: noModel },
        actors: ['strategy', 'execution'].map(role => ({ role, name: 'model', problem: noModel })),
      },
      ['PRE-02'],
      noModel,
    ],
    ['an unknown tool', { tools: [use('local/gone', null)] }, ['PRE-03'], 'uses the tool local/gone'],
    [
      'a confirmation of nothing',
      { unknownConfirmations: [{ action: 'local/a', reason: 'There is no tool x.' }] },
      ['PRE-03'],
      'local/a wants each call of a tool confirmed that is not there. There is no tool x.',
    ],
    [
      'a child action that is gone',
      { missingActions: [{ name: 'local/b', reason: 'it is archived.' }] },
      ['PRE-03'],
      'local/b cannot be started: it is archived.',
    ],
    [
      'an unsafe tool',
      { tools: [use('local/rm', { can: { unsafe: true } })] },
      ['PRE-04'],
      'allows no unsafe tools',
    ],
    [
      'a category that is not allowed',
      { profile: withSafety({ allowedSkillCategories: ['search'] }), tools: [use('builtin/write_file')] },
      ['PRE-04'],
      'of the category edit, and the safety profile allows search alone',
    ],
    [
      'no sandbox to be had',
      { sandbox: { kind: 'none', reason: 'No git here.' } },
      ['PRE-04'],
      'No git here.',
    ],
    ['no sandbox where one is required', { sandbox: none }, ['PRE-04', 'PRE-05'], 'works in your own files'],
    [
      'no checkpoints where they are required',
      { sandbox: none, profile: withSafety({ requireSandbox: false }) },
      ['PRE-05'],
      'keeps no checkpoints',
    ],
    [
      'a tool whose writes last',
      { tools: [use('local/mail', { can: { checkpointable: false } })] },
      ['PRE-05'],
      'What local/mail writes cannot be taken back',
    ],
    [
      'a database that cannot go back and is written',
      {
        tools: [use('builtin/change_database', { category: 'databases' })],
        resources: [{ name: 'shop', restores: 'never', problem: null }],
      },
      ['PRE-05'],
      'The database shop cannot be returned',
    ],
    ['a folder that is gone', { folderProblem: 'There is no folder /x.' }, ['PRE-06'], '/x'],
    [
      'a database out of reach',
      { resources: [{ name: 'shop', restores: 'always', problem: 'it did not answer.' }] },
      ['PRE-06'],
      'shop cannot be reached: it did not answer.',
    ],
    [
      'a broken attachment',
      { validations: { ...well.validations, problems: ['The validation v is gone.'] } },
      ['PRE-07'],
      'The validation v is gone.',
    ],
  ])('%s is found', (_, facts, ids, words) => {
    const results = preflight({ ...well, ...facts })
    expect(results.flatMap(({ id, status }) => (status === 'failed' ? [id] : []))).toEqual(ids)
    expect(failureWords(results).join('\n')).toContain(words)
  })

  it.each<[string, Partial<PreflightFacts>]>([
    ['without checkpoints under a profile that needs none', { sandbox: none, profile: lax }],
    [
      'that only reads a database that cannot go back',
      { resources: [{ name: 'shop', restores: 'never', problem: null }] },
    ],
    ['that costs what it may', { estimateUsd: 1, profile: withSafety({ maxCostPerPlan: 1 }) }],
    [
      'that nobody attends and that asks nobody',
      { isAttended: false, profile: aProfile({ thresholds: allAt(0) }) },
    ],
    [
      'whose categories are all allowed',
      { profile: withSafety({ allowedSkillCategories: ['edit'] }), tools: [use('builtin/write_file')] },
    ],
  ])('a plan %s passes', (_, facts) => {
    expect(preflight({ ...well, ...facts }).every(({ status }) => status === 'passed')).toBe(true)
  })

  it.each<[string, Partial<PreflightFacts>, string]>([
    [
      'costs more than it may',
      { estimateUsd: 2.5, profile: withSafety({ maxCostPerPlan: 1 }) },
      'at least 2.50 USD',
    ],
    ['is attended by nobody', { isAttended: false }, 'always asks before it may: start Strategize; go from'],
    [
      'lies in a folder without trust',
      { validations: { ...well.validations, untrusted: true } },
      'agents project trust local/shop',
    ],
  ])('a plan that %s is warned and begins', (_, facts, words) => {
    const results = preflight({ ...well, ...facts })
    expect(hasFailed(results)).toBe(false)
    expect(results.flatMap(({ findings }) => findings.map(({ message }) => message))).toEqual([
      expect.stringContaining(words),
    ])
  })
})

function allAt(threshold: number): typeof profile.thresholds {
  const rows = Object.keys(profile.thresholds).map(gate => [gate, threshold])
  return Object.fromEntries(rows) as typeof profile.thresholds // the same keys
}
