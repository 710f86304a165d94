import { type Cursor, SET_UP_PATH, type Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { requestKey } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'

/**
 * What the plan's own steps may have written since the recorded state. A step that is under way, or was cut short, may
 * have written anything; so may a check or a set-up step, whose traces are removed only when it has ended.
 */
export function writtenSince(ports: Ports, plan: Plan, cursor: Cursor): Cursor['written'] {
  const { steps } = ports.store
  const key = requestKey({ plan, cursor })
  const setUp = steps.lastAt(plan.planId, SET_UP_PATH)
  // Checks at the end of Execute have rows of their own under the request to finish.
  const check = steps
    .listChecks(plan.planId)
    .findLast(({ idempotencyKey }) => idempotencyKey.startsWith(`${key}:`))
  const last = [steps.findByKey(key), check, setUp]
  return last.some(step => step && mayHaveWritten(step)) ? 'unknown' : cursor.written
}

function mayHaveWritten({ status, startedAt, readOnly, kind, path }: Step): boolean {
  const isOpen = status === 'started' || status === 'interrupted' || status === 'authorised'
  // One that failed and is still asked for begins again.
  const beginsAgain = status === 'failed' && kind === 'tool' && path !== SET_UP_PATH
  return (
    (isOpen || beginsAgain) &&
    startedAt !== null &&
    (!readOnly || kind === 'validate' || path === SET_UP_PATH)
  )
}
