import type { Result } from '../../domain/failure.ts'
import type { ApplyConflict, Sandbox } from '../../domain/sandbox/strategy.ts'
import { recordState } from '../decision/take-checkpoint.ts'
import type { Turn } from '../plan/turn.ts'
import type { ProjectEdits } from './look-at-project.ts'
import type { Adoption } from './record-adoption.ts'
import { namesOf } from './settled-drift.ts'

export type AdoptedProject =
  | { readonly outcome: 'adopted'; readonly adoption: Adoption }
  | { readonly outcome: 'constrained'; readonly conflicts: readonly ApplyConflict[] }

/** Merges what the user changed into the sandbox; from then on Apply starts from their tree as it was now. */
export async function adoptProject(
  { session, cursor }: Turn,
  sandbox: Sandbox,
  { from, captured, both }: ProjectEdits,
  note: string | null,
): Promise<Result<AdoptedProject>> {
  const { planId, signal } = session
  const before = await recordState(session, cursor, `before ${namesOf(both)} was brought in`)
  if (!before.ok) return before
  const merged = await sandbox.merge({ planId, from, to: captured }, signal)
  if (!merged.ok) return merged
  if (merged.value.outcome === 'constrained') return { ok: true, value: merged.value }
  const { state, written } = merged.value
  const changes = await sandbox.changes(before.value.state, state)
  if (!changes.ok) return changes
  const whole = await sandbox.changes(captured, state)
  if (!whole.ok) return whole
  const adoption: Adoption = {
    question: `${namesOf(both)} changed in your files while the plan worked on it. What now?`,
    label: 'Bring your changes into the plan',
    note,
    decidedBy: 'human',
    paths: written,
    before: before.value.cursor,
    after: { ...before.value.cursor, sandboxState: state, base: captured },
    changes: changes.value,
    whole: whole.value,
  }
  return { ok: true, value: { outcome: 'adopted', adoption } }
}
