import { expect, test } from 'vitest'
import { backoffMs } from '../../../src/domain/plan/backoff.ts'

test.each([
  [0, 0.5, 1_000],
  [1, 0.5, 2_000],
  [3, 0, 6_400],
  [3, 1, 9_600],
  [5, 0, 25_600],
  [9, 0.5, 30_000],
])('after %i tries, with %d of chance, the next waits %i ms', (tried, random, wait) => {
  expect(backoffMs(tried, random)).toBe(wait)
})
