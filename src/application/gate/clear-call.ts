import type { Tool } from '../../domain/tool.ts'
import { checkGuardrails } from '../guardrails/check-call.ts'
import { guardApproval } from '../guards/guard-approval.ts'
import type { Turn } from '../plan/turn.ts'
import { confinementApproval, personApproval, type StepApproval, type StepCall } from './approve-step.ts'
import { hardBlock } from './hard-block.ts'

/**
 * Whether a call of a tool may run: hard safety limits, then a person where every step needs one, then the guards, then
 * the limits of the plan, in the order of the engine design, section 7. Every call of every actor comes through here,
 * checks and the set-up step included. Where a guard asks, its question is the only one about the call, since it takes
 * no standing approval.
 */
export async function clearCall(turn: Turn, tool: Tool, call: StepCall): Promise<StepApproval> {
  const blocked = hardBlock(turn.plan, tool)
  if (blocked) return { kind: 'refused', failure: blocked }
  const confined = await confinementApproval(turn, call)
  if (confined.kind !== 'approved') return confined
  const approval = (await guardApproval(turn, tool, call)) ?? personApproval(turn, call)
  if (approval.kind !== 'approved') return approval
  return checkGuardrails(turn, tool, call) ?? approval
}
