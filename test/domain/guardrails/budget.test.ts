import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type BudgetTier,
  checkBudget,
  fromNanos,
  monthOf,
  remainingUsd,
  tightestTier,
  toNanos,
  usdWords,
} from '../../../src/domain/guardrails/budget.ts'
import { budgetLevels } from '../../../src/domain/guardrails/limits.ts'

function tier(changes: Partial<BudgetTier>): BudgetTier {
  const none = { planId: null, of: 'x', limitUsd: null, source: 'plan', spentUsd: 0, reservedUsd: 0 } as const
  return { level: 'plan', ...none, ...changes }
}

describe('a call', () => {
  test.each([
    ['up to the limit exactly', { limitUsd: 1, spentUsd: 0.9, reservedUsd: 0.05 }, 0.05, null],
    ['a billionth above it', { limitUsd: 1, spentUsd: 0.95 }, 0.050000001, 'plan'],
    ['with what is reserved for others', { limitUsd: 1, spentUsd: 0.5, reservedUsd: 0.5 }, 0.01, 'plan'],
    ['that costs nothing, when all is spent', { limitUsd: 1, spentUsd: 1 }, 0, null],
    ['that costs anything, where nothing is allowed', { limitUsd: 0 }, 0.000000001, 'plan'],
    ['where nothing limits', {}, 1e6, null],
  ])('%s', (_title, changes, cost, exceededLevel) => {
    expect(checkBudget([tier(changes)], cost).exceededLevel).toBe(exceededLevel)
  })

  it('is held against every level, and the first one without room is named', () => {
    const tiers = budgetLevels.map((level, at) => tier({ level, of: level, limitUsd: 5 - at, spentUsd: 1 }))
    const levelAt = (cost: number) => checkBudget(tiers, cost).exceededLevel
    expect([1, 1.5, 2.5, 3.5, 4.5].map(levelAt)).toEqual([null, 'org', 'session', 'profile', 'plan'])
    const full = checkBudget(tiers, 1.5)
    expect(full.reason).toBe(
      'The budget of the organisation in org has $1.00 left of $2.00; this call costs $1.50',
    )
  })

  it('of ten times ten cents fits into one dollar', () => {
    let spentUsd = 0
    for (let calls = 0; calls < 10; calls++) {
      expect(checkBudget([tier({ limitUsd: 1, spentUsd })], 0.1).kind).toBe('may_proceed')
      spentUsd = fromNanos(toNanos(spentUsd) + toNanos(0.1))
    }
    expect(checkBudget([tier({ limitUsd: 1, spentUsd })], 0.1).kind).toBe('exceeded')
  })
})

it('what is left is what the tightest level leaves, and never less than nothing', () => {
  const amount = fc.integer({ min: 0, max: 500 }).map(cents => cents / 100)
  const anyTier = fc.record({ limitUsd: fc.option(amount), spentUsd: amount, reservedUsd: amount }).map(tier)
  fc.assert(
    fc.property(fc.array(anyTier, { maxLength: 5 }), amount, (tiers, cost) => {
      const left = remainingUsd(tiers)
      const fits = checkBudget(tiers, cost).kind === 'may_proceed'
      const isOver = tiers.some(
        each => each.limitUsd !== null && toNanos(each.spentUsd + each.reservedUsd) > toNanos(each.limitUsd),
      )
      expect(fits).toBe(left === null || (!isOver && toNanos(cost) <= toNanos(left)))
      expect(tightestTier(tiers) === null).toBe(left === null)
    }),
  )
})

test('amounts are said with two decimals, and with more where cents would hide them', () => {
  expect([0, 1, 0.05, 0.015, 0.000002].map(usdWords)).toEqual([
    '$0.00',
    '$1.00',
    '$0.05',
    '$0.015',
    '$0.000002',
  ])
})

test('the months of an organisation are those of UTC', () => {
  expect(monthOf('2026-11-30T23:59:59.999Z')).toBe('2026-11')
})
