import { ok, type Result, refuse } from '../../domain/failure.ts'
import { warnAboutAllow } from '../../domain/guards/broad-rule.ts'
import { type EffectiveGuards, guardsFrom, valuesOf } from '../../domain/guards/effective-guards.ts'
import type { GuardVerdict } from '../../domain/guards/guard.ts'
import { judgeCall } from '../../domain/guards/index.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { AutomationProfile } from '../../domain/profile/profile.ts'
import { COMMAND_TOOL } from '../../domain/tool.ts'
import { hardBlock } from '../gate/hard-block.ts'
import { costSoFar } from '../guardrails/cost-so-far.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { guardsOf, scopeOf } from './guards-of.ts'
import { commandOf } from './judge-tool-call.ts'

export interface TestGuards {
  readonly command: string
  /** Where it would run, absolute; a plan has a folder of its own. */
  readonly folder: string
  readonly planRef: string | null
  readonly profile: AutomationProfile | null
}

export interface GuardTest {
  readonly command: string
  /** refused: safety forbids it, and nobody can let it through. */
  readonly verdict: 'allowed' | 'asked' | 'refused'
  readonly reason: string
  readonly guard: GuardVerdict['guard']
  readonly parts: GuardVerdict['parts']
  readonly warnings: readonly string[]
}

/** What would be said to a command now, without running it. Costs and counts are those of the plan's present step. */
export async function testGuards(ports: Ports, input: TestGuards): Promise<Result<GuardTest>> {
  const tool = ports.tools.find(COMMAND_TOOL)
  if (!tool) return refuse('not_available', 'There is no tool that runs commands here.')
  const about = whose(ports, input)
  if (!about.ok) return about
  const { plan, profile, guards } = about.value
  const root = plan?.project.root ?? input.folder
  const command = await commandOf(ports, root, COMMAND_TOOL, { command: input.command })
  const verdict = judgeCall(guards, {
    tool: COMMAND_TOOL,
    isWrite: tool.capability.writes,
    costSoFar: plan ? costSoFar(ports, plan) : 0,
    callsSoFar: 0,
    scope: plan ? scopeOf(plan) : 'PLAN',
    isApply: false,
    command,
  })
  const told = {
    command: input.command,
    guard: verdict.guard,
    parts: verdict.parts,
    warnings: guards.toolAllowlists.flat().flatMap(entry => warnAboutAllow(entry) ?? []),
  }
  const blocked = plan ? hardBlock(plan, tool) : null
  if (blocked) return ok({ ...told, verdict: 'refused', reason: blocked.message })
  if (!verdict.allowed) return ok({ ...told, verdict: 'asked', reason: verdict.reason })
  if (profile.safety.requireHumanApproval)
    return ok({ ...told, verdict: 'asked', reason: `profile ${profile.name} asks before every step` })
  return ok({ ...told, verdict: 'allowed', reason: verdict.reason })
}

interface Whose {
  readonly plan: Plan | null
  readonly profile: AutomationProfile
  readonly guards: EffectiveGuards
}

function whose(ports: Ports, { planRef, profile }: TestGuards): Result<Whose> {
  if (profile) return ok({ plan: null, profile, guards: valuesOf(guardsFrom('profile', profile.guards)) })
  const plan =
    planRef === null ? refuse('invalid_input', 'Name a profile or a plan.') : findPlan(ports, planRef)
  if (!plan.ok) return plan
  return ok({ plan: plan.value, profile: plan.value.profile, guards: valuesOf(guardsOf(ports, plan.value)) })
}
