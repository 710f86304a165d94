import { expect, test } from 'vitest'
import type { PlanView } from '../../src/a2a/protocol/views/plan.ts'
import { exitCodeOfFailure, obstacleOf } from '../../src/cli/exit-codes.ts'
import { aGate, noLimitsView } from '../support/screen-views.ts'

test.each<[string, number]>([
  ['invalid_input', 2],
  ['ambiguous', 2],
  ['method_not_found', 2],
  ['gate_waits', 3],
  ['not_found', 4],
  ['budget_exceeded', 5],
  ['conflict', 6],
  ['stale_answer', 6],
  ['store_newer', 6],
  ['denied', 7],
  ['untrusted', 7],
  ['unauthenticated', 7],
  ['not_available', 1],
  ['invalid_state', 1],
  ['a word of a newer backend', 1],
])('a refusal of the kind %s ends with %i', (errorType, code) => {
  expect(exitCodeOfFailure(errorType)).toBe(code)
})

test.each<[PlanView['state'], number]>([
  ['applied', 0],
  ['awaiting_input', 3],
  ['constrained', 6],
  ['errored', 1],
  ['cancelled', 1],
  ['paused', 1],
])('a plan in the foreground that came to rest %s ends with %i', (state, code) => {
  const obstacle = obstacleOf({ state, gates: [], limits: noLimitsView })
  expect(obstacle === null ? 0 : exitCodeOfFailure(obstacle)).toBe(code)
})

test('a plan that waits because its budget is used up ends with 5', () => {
  const gates = [aGate({ gate_id: 'g', kind: 'budget' })]
  expect(exitCodeOfFailure(obstacleOf({ state: 'awaiting_input', gates, limits: noLimitsView }) ?? '')).toBe(
    5,
  )
})

test('a plan that ended at a limit, since its profile asks nobody, ends with 5', () => {
  const exceeded = { limit: 'steps', level: 'plan', of: 'local/x', reason: 'all 3 steps are taken' }
  const obstacle = obstacleOf({ state: 'errored', gates: [], limits: { ...noLimitsView, exceeded } })
  expect(exitCodeOfFailure(obstacle ?? '')).toBe(5)
})
