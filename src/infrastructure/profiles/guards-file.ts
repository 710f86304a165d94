import * as z from 'zod'
import { parseToolRule } from '../../domain/guards/tool-rule.ts'
import type { Guards } from '../../domain/profile/profile.ts'

const rule = z
  .string()
  .min(1, 'must not be empty')
  .superRefine((entry, check) => {
    const read = entry === '' || parseToolRule(entry)
    if (read !== true && !read.ok) check.addIssue({ code: 'custom', message: read.failure.message })
  })
const tools = z.array(rule).nullable().default(null)

/** The guards of a profile as files write them. What is left out restricts nothing. */
export const guardsFile = z.strictObject({
  max_tool_calls_per_step: z.int().min(0, 'must be 0 or more').nullable().default(null),
  max_total_cost: z.number().min(0, 'must be 0 or more').nullable().default(null),
  tool_allowlist: tools,
  tool_denylist: tools,
  require_approval_for_writes: z.boolean().default(false),
  require_approval_for_apply: z.boolean().default(false),
})

export function readGuards(written: z.output<typeof guardsFile>): Guards {
  return {
    maxToolCallsPerStep: written.max_tool_calls_per_step,
    maxTotalCost: written.max_total_cost,
    toolAllowlist: written.tool_allowlist,
    toolDenylist: written.tool_denylist,
    requireApprovalForWrites: written.require_approval_for_writes,
    requireApprovalForApply: written.require_approval_for_apply,
  }
}
