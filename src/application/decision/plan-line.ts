import type { Spread } from '../../domain/decision/spread.ts'
import type { Result } from '../../domain/failure.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import { type LaidLine, layBack } from '../../domain/plan/lay-back.ts'
import type { PlanSession } from '../plan/session.ts'
import type { RestoreGoal } from '../rollback/journalled-restore.ts'

export interface PlannedLine {
  readonly line: LaidLine
  /** Where the sandbox is brought. */
  readonly goal: RestoreGoal
}

/**
 * The line of work without the decisions that no longer hold, on a sandbox that was recorded. Only looks. What cannot be
 * laid back joins those decisions.
 */
export async function planLine(
  session: PlanSession,
  cursor: Cursor,
  spread: Pick<Spread, 'has' | 'add'>,
): Promise<Result<PlannedLine>> {
  const line = session.ports.store.works.listPresent(session.planId)
  const [first] = line
  if (!first) return { ok: true, value: { line: { untouched: [], laid: [] }, goal: presentOf(cursor) } }
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const { baseline, replay } = sandbox.value
  const laid = await layBack({ line, baseline, spread, replay })
  if (!laid.ok) return laid
  const last = laid.value.laid.at(-1) ?? laid.value.untouched.at(-1)
  const goal: RestoreGoal = last
    ? { state: last.to, base: last.base }
    : { state: first.from ?? baseline, base: null }
  return { ok: true, value: { line: laid.value, goal } }
}

function presentOf({ sandboxState, base }: Cursor): RestoreGoal {
  return { state: sandboxState, base }
}
