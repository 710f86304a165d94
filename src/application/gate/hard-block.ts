import { type Failure, refuse } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { COMMAND_TOOL, categoryOf, type ToolDeclaration } from '../../domain/tool.ts'

/** Safety is not a question of confidence: these calls are refused, not asked about. */
export function hardBlock(plan: Plan, tool: ToolDeclaration): Failure | null {
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
