import { expect, test } from 'vitest'
import { elapsedSeconds, isRunning, started, stopped } from '../../../src/domain/guardrails/running-time.ts'

const at = (seconds: number) => new Date(seconds * 1_000).toISOString()

test('the clock counts only while it runs', () => {
  const first = started({ ranMs: 0, since: null }, at(10))
  expect(elapsedSeconds(first, at(15))).toBe(5)
  const waits = stopped(first, at(20))
  expect(elapsedSeconds(waits, at(5_000))).toBe(10)
  const again = started(waits, at(5_000))
  expect(elapsedSeconds(again, at(5_001.5))).toBe(11.5)
})

test('started or stopped twice it is as it was', () => {
  const runs = started({ ranMs: 0, since: null }, at(10))
  expect(started(runs, at(99))).toEqual(runs)
  expect(stopped(stopped(runs, at(12)), at(99))).toEqual({ ranMs: 2_000, since: null })
})

test('a clock that is set back gives no time away', () => {
  expect(elapsedSeconds({ ranMs: 3_000, since: at(50) }, at(10))).toBe(3)
})

test('a plan runs from its first phase on, and not while it waits or rests', () => {
  const runs = (position: Parameters<typeof isRunning>[0]['position'], startedAt: string | null = at(1)) =>
    isRunning({ position, startedAt })
  expect(runs('execute/running')).toBe(true)
  expect(runs('strategize/queued', null)).toBe(false)
  expect([runs('execute/awaiting_input'), runs('execute/paused'), runs('apply/complete')]).toEqual([
    false,
    false,
    false,
  ])
})
