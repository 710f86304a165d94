import { type Result, refuse } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { SandboxChoice } from '../../domain/preflight/facts.ts'
import { failureWords, hasFailed, type PreflightCheck, preflight } from '../../domain/preflight/preflight.ts'
import { type ChosenSandbox, chooseSandbox, type SandboxWish } from '../choose-sandbox.ts'
import { changePlan } from '../plan/change-plan.ts'
import type { Next } from '../plan/next.ts'
import { sandboxFacts } from '../plan/sandbox-facts.ts'
import type { Ports } from '../ports.ts'
import { gatherFacts, type Prospect } from './gather-facts.ts'

export async function runPreflight(ports: Ports, prospect: Prospect): Promise<PreflightCheck[]> {
  return preflight(await gatherFacts(ports, prospect))
}

/** The refusal by which a plan ends that was looked at and found impossible. It stays on record with all it was told. */
export function rejectIfFailed(ports: Ports, plan: Plan): Result<Plan> {
  const results = plan.preflight ?? []
  if (!hasFailed(results)) return { ok: true, value: plan }
  const words = failureWords(results)
  const rejected = changePlan(ports, plan, { event: 'failed', reason: words.join('\n') })
  if (!rejected.ok) return rejected
  const count = results.filter(({ status }) => status === 'failed').length
  const first = `Plan ${plan.name} was not started: ${count} of ${results.length} checks before it failed.`
  return refuse('preflight_failed', [first, ...words].join('\n'), { plan_id: plan.planId, checks: results })
}

/** Plans that nobody used by name, such as children, are looked at when Strategize begins; once they pass, no more. */
export async function preflightNow(ports: Ports, plan: Plan): Promise<Next | readonly PreflightCheck[]> {
  if (plan.preflight !== null && !hasFailed(plan.preflight)) return plan.preflight
  const results = await runPreflight(ports, {
    action: plan.action,
    unavailable: null,
    project: plan.project,
    resources: plan.resources,
    profile: plan.profile,
    sandbox: { kind: 'chosen', ...sandboxFacts(ports, plan) },
    isAttended: true,
    standing: plan.parentPlanId === null ? 'top-level' : 'child',
  })
  if (!hasFailed(results)) return results
  return { event: 'failed', reason: failureWords(results).join('\n'), patch: { preflight: results } }
}

export interface SandboxFound {
  /** For the plan's row. */
  readonly chosen: ChosenSandbox
  readonly facts: SandboxChoice
}

/** A sandbox that cannot be had, or that the profile forbids, is told together with whatever else is wrong. */
export async function sandboxFor(ports: Ports, wish: SandboxWish): Promise<Result<SandboxFound>> {
  const chosen = await chooseSandbox(ports, wish)
  if (chosen.ok)
    return { ok: true, value: { chosen: chosen.value, facts: chosenFacts(ports, chosen.value.name) } }
  const { code, message, facts } = chosen.failure
  const asked = ports.sandboxes.list().find(({ name }) => name === facts['sandbox'])
  const fallback = wish.project.resource === 'git-checkout' ? 'git_worktree' : 'filesystem_copy'
  const name = asked?.name ?? fallback
  if (code === 'denied')
    return { ok: true, value: { chosen: { name, notice: null }, facts: chosenFacts(ports, name) } }
  if (code !== 'not_available') return chosen
  return { ok: true, value: { chosen: { name, notice: null }, facts: { kind: 'none', reason: message } } }
}

function chosenFacts(ports: Ports, sandbox: Plan['sandbox']): SandboxChoice {
  return { kind: 'chosen', ...sandboxFacts(ports, { sandbox }) }
}
