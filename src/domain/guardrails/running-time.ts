/** How long a plan has run: the clock stands while it waits for a person, is paused or has ended (requirements GAP-19). */
import { workOf } from '../plan/lifecycle.ts'
import type { Plan } from '../plan/plan.ts'

export interface RunningTime {
  /** Up to the last time the clock stopped. */
  readonly ranMs: number
  /** When it last began to run; null while it stands. */
  readonly since: string | null
}

/** It begins with the first phase, not while the plan waits for its turn. */
export function isRunning({ startedAt, position }: Pick<Plan, 'startedAt' | 'position'>): boolean {
  return startedAt !== null && workOf(position) !== null
}

export function elapsedSeconds({ ranMs, since }: RunningTime, now: string): number {
  return (ranMs + (since === null ? 0 : between(since, now))) / 1_000
}

export function started(time: RunningTime, at: string): RunningTime {
  return time.since === null ? { ...time, since: at } : time
}

export function stopped(time: RunningTime, at: string): RunningTime {
  return { ranMs: time.ranMs + (time.since === null ? 0 : between(time.since, at)), since: null }
}

/** A clock that is set back must not give time away. */
function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from))
}
