import type { Result } from '../../domain/failure.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import type { Turn } from '../plan/turn.ts'
import type { Ports } from '../ports.ts'
import { insertSafetyCheckpoint } from '../rollback/safety-checkpoint.ts'
import { namesOf, type SettledDrift } from './settled-drift.ts'

export interface Discarded extends Pick<SettledDrift, 'drift' | 'note'> {
  /** The plan as it goes on. */
  readonly cursor: Cursor
}

/** Puts back what was recorded, once the sandbox was recorded as it is: nothing is lost. */
export async function discardDrift(
  { session, plan, cursor }: Turn,
  { sandbox, drift, note }: SettledDrift,
): Promise<Result<Discarded>> {
  const names = namesOf(drift)
  const recorded = await recordState(session, cursor, `before putting ${names} back`)
  if (!recorded.ok) return recorded
  const paths = drift.map(({ path }) => path)
  const kept = await sandbox.checkpoint(`with ${names}`, paths)
  if (!kept.ok) return kept
  const present: Cursor = { ...recorded.value.cursor, sandboxState: kept.value }
  // A state that the journal does not name cannot be found again, should the process end in the restore.
  session.ports.store.transaction(() => insertSafetyCheckpoint(session.ports, plan, present, labelOf(names)))
  const restored = await sandbox.restore(recorded.value.state, { kind: 'only', paths })
  if (!restored.ok) return restored
  return { ok: true, value: { drift, note, cursor: recorded.value.cursor } }
}

/** Call it inside a transaction. */
export function recordDiscard(ports: Ports, plan: Plan, { drift, note, cursor }: Discarded): void {
  const names = namesOf(drift)
  recordDirectly(ports, plan, {
    type: 'user_intervention',
    phase: cursor.phase,
    question: `${names} changed in the sandbox by hand. What now?`,
    chosenOption: { id: 'discard', label: 'Put back what was recorded', rationale: null },
    rationale:
      note ??
      `files: ${drift.map(({ path }) => path).join(', ')}; the checkpoint "${labelOf(names)}" keeps them`,
    parentDecisionId: rootOf(ports, plan),
    decidedBy: 'human',
  })
  ports.store.cursors.put(cursor)
}

function labelOf(names: string): string {
  return `before ${names} was put back`
}
