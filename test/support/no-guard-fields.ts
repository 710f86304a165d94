import type { GuardFieldsView } from '../../src/a2a/protocol/views/guard.ts'

/** What holds where nobody set a guard. */
export const noGuardFields: GuardFieldsView = {
  max_tool_calls_per_step: { value: null, source: null },
  max_total_cost: { value: null, source: null },
  tool_allowlists: [],
  tool_denylist: [],
  require_approval_for_writes: { value: false, source: null },
  require_approval_for_apply: { value: false, source: null },
}
