import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Checkpoint, Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { RollbackImpact } from '../backend.ts'
import { mention } from '../decision/plan-correction.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import { restoreGroups } from './restore-groups.ts'

export interface PlannedRollback {
  readonly checkpoint: Checkpoint
  /** As it stands now. */
  readonly cursor: Cursor
  readonly superseded: readonly Decision[]
  readonly again: readonly Decision[]
  readonly impact: RollbackImpact
}

/** What going back to a checkpoint would do, before anything is touched. */
export async function planRollback(
  session: PlanSession,
  plan: Plan,
  checkpoint: Checkpoint,
): Promise<Result<PlannedRollback>> {
  const { ports } = session
  const cursor = ports.store.cursors.get(plan.planId)
  const lines = linesOf(ports, checkpoint)
  if (!cursor || !lines)
    return refuse('invalid_state', 'The checkpoint belongs to no decision of this plan.', {
      plan_id: plan.planId,
    })
  const target = { state: checkpoint.state, since: checkpoint.createdAt }
  const groups = await restoreGroups(session, plan, cursor, target)
  if (!groups.ok) return groups
  const impact: Omit<RollbackImpact, 'digest'> = {
    ...groups.value,
    decisions: lines.superseded.map(decision => mention(decision, 'recorded after that state')),
    decisionsAgain: lines.again.map(decision => mention(decision, 'held in that state')),
    gatesAgain: lines.superseded.filter(each => each.decidedBy === 'human').map(each => each.question),
  }
  const digest = ports.digest(JSON.stringify([plan.planId, plan.attempt, checkpoint.checkpointId, impact]))
  return { ok: true, value: { checkpoint, cursor, ...lines, impact: { ...impact, digest } } }
}

/** Which decisions stop holding, and which hold again. Null where the checkpoint names a decision that is not there. */
function linesOf(ports: Ports, { planId, decisionId, origin }: Checkpoint) {
  const decisions = ports.store.decisions.listByPlan(planId)
  if (origin.kind === 'safety') {
    const held = new Set(origin.activeIds)
    return {
      superseded: decisions.filter(each => isActive(each) && !held.has(each.decisionId)),
      again: decisions.filter(each => !isActive(each) && held.has(each.decisionId)),
    }
  }
  const decision = decisions.find(each => each.decisionId === decisionId)
  if (!decision) return null
  // What a person said stays said; what they changed in the sandbox goes with the state that held it.
  const later = (each: Decision) =>
    each.number > decision.number && (each.key !== null || each.checkpointId !== null)
  return { superseded: decisions.filter(each => isActive(each) && later(each)), again: [] }
}
