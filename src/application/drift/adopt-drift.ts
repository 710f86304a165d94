import type { Result } from '../../domain/failure.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import { baseOf } from '../plan/base-state.ts'
import type { Turn } from '../plan/turn.ts'
import type { Adoption } from './record-adoption.ts'
import { namesOf, type SettledDrift } from './settled-drift.ts'

/** What somebody changed in the sandbox by hand, recorded as it is. */
export async function adoptDrift(
  { session, cursor }: Turn,
  { sandbox, drift, decidedBy, note }: SettledDrift,
): Promise<Result<Adoption>> {
  const names = namesOf(drift)
  const before = await recordState(session, cursor, `before adopting ${names}`)
  if (!before.ok) return before
  const paths = drift.map(({ path }) => path)
  const adopted = await sandbox.checkpoint(`with ${names}`, paths)
  if (!adopted.ok) return adopted
  const changes = await sandbox.changes(before.value.state, adopted.value)
  if (!changes.ok) return changes
  const whole = await sandbox.changes(baseOf(cursor, sandbox), adopted.value)
  if (!whole.ok) return whole
  return {
    ok: true,
    value: {
      question: `${names} changed in the sandbox by hand. What now?`,
      label: 'Make it part of the plan',
      note,
      decidedBy,
      paths,
      before: before.value.cursor,
      after: { ...before.value.cursor, sandboxState: adopted.value },
      changes: changes.value,
      whole: whole.value,
    },
  }
}
