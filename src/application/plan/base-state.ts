import type { Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Sandbox, SandboxState } from '../../domain/sandbox/strategy.ts'

/** The user's tree as the plan's work starts from it: as it was captured, or as their edits were last brought in. */
export function baseOf(cursor: Pick<Cursor, 'base'> | null, sandbox: Sandbox): SandboxState {
  return cursor?.base ?? sandbox.baseline
}

/** The state that the user's tree has of the plan already: the merge base of its next Apply. */
export function fromOf(plan: Plan, cursor: Pick<Cursor, 'base'>, sandbox: Sandbox): SandboxState {
  return plan.appliedState ?? baseOf(cursor, sandbox)
}
