import { describe, expect, it, test } from 'vitest'
import {
  checkConfirmation,
  checkRetries,
  checkSteps,
  checkTokens,
  checkToolCalls,
  checkWallClock,
  type Excess,
  type Limits,
  noLimits,
  raisedLimit,
  tighten,
} from '../../../src/domain/guardrails/limits.ts'

/** A call that may come to so many. */
const tokensOf = (wanted: number) => (limits: Limits, used: number) => checkTokens(limits, used, wanted)

const within = 'may_proceed'
const over = 'exceeded'

describe('the boundaries of a limit', () => {
  test.each([
    ['step 1 of none', checkSteps, 'maxSteps', 0, 1, over],
    ['the last step', checkSteps, 'maxSteps', 3, 3, within],
    ['one step more', checkSteps, 'maxSteps', 3, 4, over],
    ['any step without a limit', checkSteps, 'maxSteps', null, 1_000_000, within],
    ['the whole time', checkWallClock, 'maxWallClockSeconds', 60, 60, within],
    ['a moment more', checkWallClock, 'maxWallClockSeconds', 60, 60.001, over],
    ['no time at all', checkWallClock, 'maxWallClockSeconds', 0, 0, within],
    ['any time without a limit', checkWallClock, 'maxWallClockSeconds', null, 1e9, within],
    ['the last token', tokensOf(3), 'maxTokens', 10, 7, within],
    ['a token more', tokensOf(4), 'maxTokens', 10, 7, over],
    ['the first call of none', checkToolCalls, 'maxToolCallsPerInvocation', 0, 0, over],
    ['the last call', checkToolCalls, 'maxToolCallsPerInvocation', 2, 1, within],
    ['a call after the last', checkToolCalls, 'maxToolCallsPerInvocation', 2, 2, over],
    ['the first retry of none', checkRetries, 'maxRetriesPerFailure', 0, 0, over],
    ['the last retry', checkRetries, 'maxRetriesPerFailure', 3, 2, within],
    ['a retry after the last', checkRetries, 'maxRetriesPerFailure', 3, 3, over],
  ] as const)('%s', (_title, check, field, max, value, kind) => {
    expect(check({ ...noLimits, [field]: max }, value).kind).toBe(kind)
  })

  test.each([
    ['builtin/run_command', ['builtin/run_command'], 'builtin/run_command'],
    ['builtin/run_commands', ['builtin/run_command'], null],
    ['deploy/production', ['deploy/*'], 'deploy/*'],
    ['undeploy/production', ['deploy/*'], null],
    ['anything', ['*'], '*'],
    ['anything', [], null],
  ])('%s among %j is confirmed because of %s', (operation, requiredConfirmations, pattern) => {
    const verdict = checkConfirmation({ ...noLimits, requiredConfirmations }, operation)
    expect(verdict).toEqual(pattern === null ? { kind: 'not_needed' } : { kind: 'needs_person', pattern })
  })
})

describe('limits from several places', () => {
  it('are the tightest of each field, with who set it', () => {
    const settled = tighten([
      { source: 'plan', limits: { maxSteps: 50, toolBudget: 2 } },
      { source: 'action', limits: { maxSteps: 20, requiredConfirmations: ['a'] } },
      { source: 'project', limits: { maxSteps: 20, toolBudget: 3, requiredConfirmations: ['a', 'b'] } },
      { source: 'global', limits: { maxWallClockSeconds: 0, toolBudget: null } },
    ])
    expect(settled).toEqual({
      limits: {
        ...noLimits,
        maxSteps: 20,
        toolBudget: 2,
        maxWallClockSeconds: 0,
        requiredConfirmations: ['a', 'b'],
      } satisfies Limits,
      sources: {
        maxSteps: 'action',
        toolBudget: 'plan',
        maxWallClockSeconds: 'global',
        requiredConfirmations: 'action',
      },
      exceeded: null,
    })
  })

  it('are none where nobody set any', () => {
    expect(tighten([]).limits).toEqual(noLimits)
  })
})

test.each<[Partial<Excess>, number]>([
  [{ limit: 'budget', max: 1, used: 0.98, wanted: 0.05 }, 2],
  [{ limit: 'budget', max: 0, used: 0, wanted: 0.015 }, 0.02],
  [{ limit: 'steps', max: 3, used: 3, wanted: 1 }, 10],
  [{ limit: 'budget', max: 0.55, used: 0.55, wanted: 0.1 }, 1.1],
  [{ limit: 'budget', max: 0.07, used: 0.07, wanted: 0.01 }, 0.14],
  [{ limit: 'steps', max: 20, used: 20, wanted: 1 }, 40],
  [{ limit: 'wall_clock', max: 0, used: 12, wanted: 1 }, 60],
])('what is offered at %j is %d', (excess, offered) => {
  expect(raisedLimit(excess as Excess)).toBe(offered)
})
