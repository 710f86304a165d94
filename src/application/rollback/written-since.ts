import type { Cursor, Step } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { requestKey } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'

/**
 * What the plan's own steps may have written since the recorded state. A step that is under way, or was cut short, may
 * have written anything; so may a check, whose traces are removed only when it has ended.
 */
export function writtenSince(ports: Ports, plan: Plan, cursor: Cursor): Cursor['written'] {
  const pending = ports.store.steps.findByKey(requestKey({ plan, cursor }))
  return pending && mayHaveWritten(pending) ? 'unknown' : cursor.written
}

function mayHaveWritten({ status, startedAt, readOnly, kind }: Step): boolean {
  const isOpen = status === 'started' || status === 'interrupted' || status === 'authorised'
  return isOpen && startedAt !== null && (!readOnly || kind === 'validate')
}
