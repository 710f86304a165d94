import { affectedBy, refusalToRevert, tierOf, withEverythingLater } from '../../domain/decision/correction.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Impact, RestoreGroups } from '../backend.ts'
import { sandboxFacts } from '../plan/sandbox-facts.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { restoreGroups } from '../rollback/restore-groups.ts'

export interface PlannedCorrection {
  readonly target: Decision
  /** The target first. */
  readonly affected: readonly Decision[]
  readonly impact: Impact
}

/** What a revert of this decision would do, before anything is touched. Refuses where it must not happen at all. */
export async function planCorrection(
  session: PlanSession,
  plan: Plan,
  target: Decision,
): Promise<Result<PlannedCorrection>> {
  const { ports } = session
  const refusal = refusalToRevert(target, plan.position)
  if (refusal) return refuse('invalid_state', refusal, { decision_id: target.decisionId })
  const decisions = ports.store.decisions.listByPlan(plan.planId)
  const direct = affectedBy(target, decisions, ports.store.decisions.influences(plan.planId))
  const affected = withEverythingLater(target, direct, decisions)
  const groups = await groupsFor(session, plan, target)
  if (!groups.ok) return groups
  const chosen = affected.decisions.map(({ decision }) => decision)
  const kept = decisions.filter(each => isActive(each) && each.key !== null && !chosen.includes(each))
  const impact: Omit<Impact, 'digest'> = {
    decisions: affected.decisions.map(({ decision, why }) => mention(decision, why)),
    plans: affected.plans,
    ...groups.value,
    kept: kept.map(decision => decision.decisionId),
    tier: tierOfSandbox(ports, plan),
    warnings: warningsFor(chosen, direct.decisions.length),
    gatesAgain: chosen.filter(each => each.decidedBy === 'human').map(each => each.question),
  }
  const digest = ports.digest(JSON.stringify([plan.planId, plan.attempt, target.decisionId, impact]))
  return { ok: true, value: { target, affected: chosen, impact: { ...impact, digest } } }
}

function tierOfSandbox(ports: Ports, plan: Plan) {
  const { restores, place } = sandboxFacts(ports, plan)
  return tierOf({ checkpoints: restores !== 'never', sandboxed: place === 'beside' })
}

function warningsFor(affected: readonly Decision[], direct: number): string[] {
  const later = affected.length - direct
  if (later <= 0) return []
  return [
    `${later} later ${later === 1 ? 'decision does' : 'decisions do'} not depend on it; they are redone all the same`,
  ]
}

export function mention(decision: Decision, why: string) {
  return { decisionId: decision.decisionId, number: decision.number, question: decision.question, why }
}

/** What returns to the state the target began with, and what does not. */
async function groupsFor(session: PlanSession, plan: Plan, target: Decision): Promise<Result<RestoreGroups>> {
  const cursor = session.ports.store.cursors.get(plan.planId)
  if (!cursor) return { ok: true, value: { restored: [], leftAlone: [], cannotRestore: [] } }
  const sandbox = await session.sandbox()
  if (!sandbox.ok) return sandbox
  const state = stateToRevertTo(session.ports, target) ?? sandbox.value.baseline
  return restoreGroups(session, plan, cursor, { state, since: target.createdAt })
}

/** The sandbox as a correction of this decision leaves it; null = as it was at the start of the plan. */
export function stateToRevertTo(ports: Ports, target: Decision) {
  return target.phase === 'execute' ? stateAt(ports, target) : null
}

/** The sandbox as it was when a decision was recorded; null = as it was at the start of the plan. */
export function stateAt(ports: Ports, decision: Decision) {
  return decision.checkpointId ? (ports.store.checkpoints.find(decision.checkpointId)?.state ?? null) : null
}
