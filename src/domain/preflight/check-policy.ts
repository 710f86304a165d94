import { automationGateNames, automationGates } from '../gate/automation.ts'
import { type Finding, failing, type PreflightFacts, type ToolUse, warning } from './facts.ts'

/** PRE-04, by the rules of GAP-28: what the profile demands can be had with these tools, here. */
export function checkPolicy(facts: PreflightFacts): Finding[] {
  return [
    ...unsafeTools(facts),
    ...categories(facts),
    ...sandboxed(facts),
    ...withinCost(facts),
    ...unanswered(facts),
  ]
}

function unsafeTools({ tools, profile }: PreflightFacts): Finding[] {
  if (profile.safety.allowUnsafeTools) return []
  return named(tools.filter(({ tool }) => tool?.capability.unsafe === true)).map(({ name, action }) =>
    failing(
      `${action} uses ${name}, which is unsafe, and profile ${profile.name} allows no unsafe tools. Use a profile that does, or another action.`,
    ),
  )
}

function categories({ tools, profile }: PreflightFacts): Finding[] {
  const allowed = profile.safety.allowedSkillCategories
  if (allowed.length === 0) return []
  const others = tools.filter(({ tool }) => tool !== null && !allowed.includes(tool.category))
  return named(others).map(({ name, action, tool }) =>
    failing(
      `${action} uses ${name} of the category ${tool?.category}, and the safety profile allows ${allowed.join(', ')} alone.`,
    ),
  )
}

function sandboxed({ sandbox, profile }: PreflightFacts): Finding[] {
  if (sandbox.kind === 'none') return [failing(sandbox.reason)]
  if (sandbox.place !== 'in_place' || !profile.safety.requireSandbox) return []
  return [
    failing(
      `The profile of this plan requires a sandbox, and ${sandbox.name} works in your own files. Choose a profile that does not require one, or leave --sandbox out.`,
    ),
  ]
}

function withinCost({ estimateUsd, profile }: PreflightFacts): Finding[] {
  const cap = profile.safety.maxCostPerPlan
  if (cap === null || estimateUsd === null || estimateUsd <= cap) return []
  return [
    warning(
      `The steps say they cost at least ${estimateUsd.toFixed(2)} USD, and a plan under this profile may cost ${cap.toFixed(2)}. It will stop there.`,
    ),
  ]
}

/** Nothing is ever approved for somebody who is away, so such a plan waits. */
function unanswered({ profile, isAttended }: PreflightFacts): Finding[] {
  if (isAttended) return []
  const asking = automationGateNames.filter(gate => profile.thresholds[gate] >= 1)
  if (asking.length === 0) return []
  const listed = asking.map(gate => automationGates[gate].what).join('; ')
  return [
    warning(
      `Nobody is here to answer, and profile ${profile.name} always asks before it may: ${listed}. The plan waits there.`,
    ),
  ]
}

/** Each tool of an action once. */
function named(tools: readonly ToolUse[]): ToolUse[] {
  return [...new Map(tools.map(use => [`${use.action} ${use.name}`, use])).values()]
}
