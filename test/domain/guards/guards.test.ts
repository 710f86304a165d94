import { describe, expect, test } from 'vitest'
import {
  type EffectiveGuards,
  guardsFrom,
  overlaid,
  strictest,
  valuesOf,
} from '../../../src/domain/guards/effective-guards.ts'
import { APPLY_OPERATION, type GuardCall } from '../../../src/domain/guards/guard.ts'
import { changeOverlay, loosened, overlayForChild } from '../../../src/domain/guards/guard-overlay.ts'
import { judgeCall } from '../../../src/domain/guards/index.ts'
import type { Guards } from '../../../src/domain/profile/profile.ts'
import { noGuards } from './judge.ts'

const call: GuardCall = {
  tool: 'builtin/write_file',
  isWrite: true,
  costSoFar: 0,
  callsSoFar: 0,
  scope: 'PLAN',
  isApply: false,
  command: null,
}
const apply: GuardCall = { ...call, tool: APPLY_OPERATION, isApply: true }

type Row = [Partial<EffectiveGuards>, Partial<GuardCall>, string | null]

describe('a guard', () => {
  test.each<Row>([
    [{}, {}, null],
    [
      { toolDenylist: ['builtin/write_file'] },
      {},
      'builtin/write_file is on the denylist (builtin/write_file); take it off the denylist or let a person approve this call (scope PLAN)',
    ],
    [
      { toolDenylist: ['write_file'] },
      {},
      'builtin/write_file is on the denylist (write_file); take it off the denylist or let a person approve this call (scope PLAN)',
    ],
    [
      { toolDenylist: ['builtin/*'] },
      {},
      'builtin/write_file is on the denylist (builtin/*); take it off the denylist or let a person approve this call (scope PLAN)',
    ],
    [{ toolDenylist: ['builtin/write'] }, {}, null],
    [{ toolDenylist: ['('] }, {}, null],
    [
      { toolDenylist: ['shell ('] },
      { tool: 'shell (' },
      'shell ( is on the denylist (shell (); take it off the denylist or let a person approve this call (scope PLAN)',
    ],
    [{ toolAllowlists: [['builtin/write_file']] }, {}, null],
    [
      { toolAllowlists: [['builtin/read_file']] },
      { scope: 'SUBPLAN' },
      'builtin/write_file is not on the allowlist; add it to the allowlist or let a person approve this call (scope SUBPLAN)',
    ],
    [
      { toolAllowlists: [[]] },
      {},
      'builtin/write_file is not on the allowlist; add it to the allowlist or let a person approve this call (scope PLAN)',
    ],
    [
      { toolAllowlists: [['write_file'], ['read_file']] },
      {},
      'builtin/write_file is not on the allowlist; add it to the allowlist or let a person approve this call (scope PLAN)',
    ],
    [{ maxToolCallsPerStep: 3 }, { callsSoFar: 2 }, null],
    [
      { maxToolCallsPerStep: 3 },
      { callsSoFar: 3 },
      '3/3 tool calls of this step are used; raise max_tool_calls_per_step or let a person approve this call (scope PLAN)',
    ],
    [
      { maxToolCallsPerStep: 0 },
      {},
      '0/0 tool calls of this step are used; raise max_tool_calls_per_step or let a person approve this call (scope PLAN)',
    ],
    [{ maxTotalCost: 1 }, { costSoFar: 1 }, null],
    [
      { maxTotalCost: 1 },
      { costSoFar: 1.204 },
      '$1.20 are spent and the cap is $1.00; raise max_total_cost or let a person approve this call (scope PLAN)',
    ],
    [{ maxTotalCost: 0 }, {}, null],
    [
      { maxTotalCost: 1 },
      { costSoFar: null },
      'what was spent is not known, and the cap is $1.00; raise max_total_cost or let a person approve this call (scope PLAN)',
    ],
    [
      { requireApprovalForWrites: true },
      {},
      'builtin/write_file writes, and every write needs the approval of a person (scope PLAN)',
    ],
    [{ requireApprovalForWrites: true }, { isWrite: false }, null],
    [{ requireApprovalForApply: true }, {}, null],
    [{ requireApprovalForApply: true }, apply, 'Apply needs the approval of a person (scope PLAN)'],
    [
      { toolDenylist: ['plan/apply'] },
      apply,
      'plan/apply is on the denylist (plan/apply); take it off the denylist or let a person approve this call (scope PLAN)',
    ],
  ])('with %j answers to %j: %s', (guards, given, reason) => {
    const verdict = judgeCall({ ...noGuards, ...guards }, { ...call, ...given })
    expect(verdict.allowed).toBe(reason === null)
    expect(verdict.requiresApproval).toBe(reason !== null)
    if (reason !== null) expect(verdict.reason).toBe(reason)
  })

  test('that comes first in the order is the one that counts', () => {
    const all: EffectiveGuards = {
      maxToolCallsPerStep: 0,
      maxTotalCost: 0,
      toolAllowlists: [[]],
      toolDenylist: [APPLY_OPERATION],
      requireApprovalForWrites: true,
      requireApprovalForApply: true,
    }
    const without: Partial<EffectiveGuards>[] = [
      { toolDenylist: [] },
      { toolAllowlists: [] },
      { maxToolCallsPerStep: null },
      { maxTotalCost: null },
      { requireApprovalForWrites: false },
      { requireApprovalForApply: false },
    ]
    const names = without.reduce<{ guards: EffectiveGuards; names: (string | null)[] }>(
      ({ guards, names }, less) => {
        const next = { ...guards, ...less }
        return { guards: next, names: [...names, judgeCall(next, { ...apply, costSoFar: 1 }).guard] }
      },
      { guards: all, names: [judgeCall(all, { ...apply, costSoFar: 1 }).guard] },
    ).names
    expect(names).toEqual([
      'denylist',
      'allowlist',
      'call_limit',
      'budget_cap',
      'write_approval',
      'apply_approval',
      null,
    ])
  })

  test('is not asked where a profile has none', () => {
    expect(judgeCall(null, call)).toMatchObject({ allowed: true, requiresApproval: false, guard: null })
  })
})

describe('what holds for a plan', () => {
  const profile = guardsFrom('profile', {
    maxToolCallsPerStep: 10,
    maxTotalCost: 2,
    toolAllowlist: null,
    toolDenylist: ['builtin/delete_file'],
    requireApprovalForWrites: false,
    requireApprovalForApply: true,
  })
  const parent = guardsFrom('parent', {
    maxToolCallsPerStep: 20,
    maxTotalCost: 1,
    toolAllowlist: ['read_file'],
    toolDenylist: ['builtin/run_command'],
    requireApprovalForWrites: true,
    requireApprovalForApply: false,
  })

  test('is the stricter of each field, with its source', () => {
    expect(strictest(profile, parent)).toEqual({
      maxToolCallsPerStep: { value: 10, source: 'profile' },
      maxTotalCost: { value: 1, source: 'parent' },
      toolAllowlists: [{ value: ['read_file'], source: 'parent' }],
      toolDenylist: [
        { value: 'builtin/delete_file', source: 'profile' },
        { value: 'builtin/run_command', source: 'parent' },
      ],
      requireApprovalForWrites: { value: true, source: 'parent' },
      requireApprovalForApply: { value: true, source: 'profile' },
    })
  })

  test('takes what was changed on the plan in the place of what was there', () => {
    const set = changeOverlay(null, { kind: 'set', maxTotalCost: 5, requireApprovalForApply: false })
    const overlay = changeOverlay(changeOverlay(set, { kind: 'deny', entries: ['a/b'] }), {
      kind: 'undeny',
      entries: ['builtin/delete_file'],
    })
    expect(valuesOf(overlaid(profile, overlay))).toEqual({
      ...valuesOf(profile),
      maxTotalCost: 5,
      toolDenylist: ['a/b'],
      requireApprovalForApply: false,
    })
    expect(overlaid(profile, overlay).maxTotalCost.source).toBe('plan')
  })

  test('loosens nothing in a child that its action sets, and tightens all the same', () => {
    const overlay = changeOverlay(
      changeOverlay(null, { kind: 'set', maxTotalCost: 9, maxToolCallsPerStep: 99, toolAllowlist: null }),
      { kind: 'undeny', entries: ['builtin/delete_file', 'a/b'] },
    )
    const denying = changeOverlay(overlay, { kind: 'deny', entries: ['c/d'] })
    const action: Guards = {
      maxToolCallsPerStep: 5,
      maxTotalCost: null,
      toolAllowlist: ['read_file'],
      toolDenylist: ['a/b'],
      requireApprovalForWrites: false,
      requireApprovalForApply: false,
    }
    expect(overlayForChild(denying, action)).toEqual({
      maxTotalCost: 9,
      denied: ['c/d'],
      undenied: ['builtin/delete_file'],
    })
    expect(overlayForChild(denying, null)).toBe(denying)
  })

  test.each<[string, Partial<EffectiveGuards>, Partial<EffectiveGuards>, string[]]>([
    ['a lower limit', { maxTotalCost: 2 }, { maxTotalCost: 1 }, []],
    ['a first limit', {}, { maxToolCallsPerStep: 1 }, []],
    ['a higher limit', { maxTotalCost: 1 }, { maxTotalCost: 2 }, ['max_total_cost goes from 1 to 2']],
    [
      'no limit any more',
      { maxToolCallsPerStep: 1 },
      {},
      ['max_tool_calls_per_step goes from 1 to no limit'],
    ],
    ['a longer denylist', {}, { toolDenylist: ['a'] }, []],
    ['a shorter denylist', { toolDenylist: ['a'] }, {}, ['a is taken off tool_denylist']],
    ['a first allowlist', {}, { toolAllowlists: [['a']] }, []],
    ['a shorter allowlist', { toolAllowlists: [['a', 'b']] }, { toolAllowlists: [['a']] }, []],
    [
      'a longer allowlist',
      { toolAllowlists: [['a']] },
      { toolAllowlists: [['a', 'b']] },
      ['tool_allowlist lets more through than a'],
    ],
    [
      'an approval less',
      { requireApprovalForWrites: true },
      {},
      ['require_approval_for_writes is switched off'],
    ],
    ['an approval more', {}, { requireApprovalForApply: true }, []],
  ])('is loosened or not by %s', (_, before, after, words) => {
    expect(loosened({ ...noGuards, ...before }, { ...noGuards, ...after })).toEqual(words)
  })
})
