import type { Cursor } from '../../domain/plan/journal.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'

/** The user's tree as the plan's work starts from it: as it was captured, or as their edits were last brought in. */
export function baseOf(cursor: Pick<Cursor, 'base'> | null, sandbox: Sandbox): SandboxState {
  return cursor?.base ?? sandbox.baseline
}
