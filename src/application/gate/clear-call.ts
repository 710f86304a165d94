import { type Failure, refuse } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { COMMAND_TOOL, categoryOf, type Tool } from '../../domain/tool.ts'
import { checkGuardrails } from '../guardrails/check-call.ts'
import { guardApproval } from '../guards/guard-approval.ts'
import type { Turn } from '../plan/turn.ts'
import { confinementApproval, personApproval, type StepApproval, type StepCall } from './approve-step.ts'

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

/** Safety is not a question of confidence: these calls are refused, not asked about. */
export function hardBlock(plan: Plan, tool: Tool): Failure | null {
  if (plan.position === 'strategize/running' && !tool.capability.readOnly)
    return refuse('denied', `${tool.name} writes; Strategize only reads.`, { tool: tool.name }).failure
  if (plan.action.readOnly && tool.capability.writes && tool.name !== COMMAND_TOOL)
    return refuse('denied', `${tool.name} writes; the action ${plan.action.name} is read-only.`, {
      tool: tool.name,
    }).failure
  if (tool.capability.unsafe && !plan.profile.safety.allowUnsafeTools)
    return refuse(
      'denied',
      `${tool.name} is unsafe; profile ${plan.profile.name} does not allow unsafe tools.`,
      {
        tool: tool.name,
      },
    ).failure
  const allowed = plan.profile.safety.allowedSkillCategories
  if (allowed.length > 0 && !allowed.includes(categoryOf(tool)))
    return refuse(
      'denied',
      `${tool.name} is of the category ${categoryOf(tool)}; the safety profile allows ${allowed.join(', ')} alone.`,
      { tool: tool.name },
    ).failure
  return null
}
