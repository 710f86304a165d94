import type { Clock } from '../../components/terminal/clock.ts'

export type FakeClock = Clock & { advance(ms: number): void }

type Timer = { dueAt: number; run: () => void }

/** A clock that moves only when told; timers run in the order they fall due. */
export function createFakeClock(startAt = 1000): FakeClock {
  let now = startAt
  const timers = new Set<Timer>()

  function nextDue(until: number): Timer | undefined {
    return [...timers].filter(timer => timer.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0]
  }

  return {
    now: () => now,
    after(ms, run) {
      const timer = { dueAt: now + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer)
        now = timer.dueAt
        timer.run()
      }
      now = until
    },
  }
}
