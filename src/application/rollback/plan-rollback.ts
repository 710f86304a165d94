import type { Decision } from '../../domain/decision/decision.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import type { Checkpoint, Cursor } from '../../domain/plan/journal.ts'
import type { LaidLine } from '../../domain/plan/lay-back.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { RollbackImpact } from '../backend/rollback.ts'
import { cancelledChild, mention } from '../decision/plan-correction.ts'
import { planLine } from '../decision/plan-line.ts'
import type { PlanSession } from '../plan/session.ts'
import type { Ports } from '../ports.ts'
import type { RestoreGoal } from './journalled-restore.ts'
import { effectsOutside, restoreGroups } from './restore-groups.ts'
import { childrenEnded } from './take-steps-back.ts'

export interface PlannedRollback {
  readonly checkpoint: Checkpoint
  /** As it stands now. */
  readonly cursor: Cursor
  readonly superseded: readonly Decision[]
  readonly again: readonly Decision[]
  /** What is left of the line of work; null: the line that held at the checkpoint. */
  readonly line: LaidLine | null
  readonly goal: RestoreGoal
  /** Those that it cancels. */
  readonly children: readonly Plan[]
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
  const planned = await lineAt(session, cursor, checkpoint, lines.superseded)
  if (!planned.ok) return planned
  const { line, goal } = planned.value
  const since = checkpoint.createdAt
  const groups = await restoreGroups(session, plan, cursor, { state: goal.state, since })
  if (!groups.ok) return groups
  const later = ports.store.steps
    .listByPlan(plan.planId)
    .filter(({ startedAt }) => startedAt !== null && Date.parse(startedAt) >= Date.parse(since))
  const children = childrenEnded(ports, checkpoint, lines.superseded)
  const impact: Omit<RollbackImpact, 'digest'> = {
    ...groups.value,
    cannotRestore: [...groups.value.cannotRestore, ...(await effectsOutside(ports, later))],
    decisions: lines.superseded.map(decision => mention(decision, 'recorded after that state')),
    decisionsAgain: lines.again.map(decision => mention(decision, 'held in that state')),
    plans: children.map(cancelledChild),
    gatesAgain: lines.superseded.filter(each => each.decidedBy === 'human').map(each => each.question),
  }
  const digest = ports.digest(JSON.stringify([plan.planId, plan.attempt, checkpoint.checkpointId, impact]))
  return {
    ok: true,
    value: { checkpoint, cursor, ...lines, line, goal, children, impact: { ...impact, digest } },
  }
}

/**
 * The state that was recorded, or the one before a decision: what was done under it and after it leaves the line. After a
 * correction that kept the decision the line holds other work below it than its checkpoint does.
 */
async function lineAt(
  session: PlanSession,
  cursor: Cursor,
  { state, origin, decisionId }: Checkpoint,
  superseded: readonly Decision[],
): Promise<Result<{ readonly line: LaidLine | null; readonly goal: RestoreGoal }>> {
  if (origin.kind === 'safety')
    return { ok: true, value: { line: null, goal: { state, base: origin.cursor.base } } }
  const gone = new Map(superseded.map(each => [each.decisionId, each]))
  const stuck: string[] = []
  const planned = await planLine(session, cursor, {
    has: id => id === decisionId || gone.has(id),
    add: (id, why) => {
      const decision = session.ports.store.decisions.find(id)
      if (decision) gone.set(id, decision)
      stuck.push(`#${decision?.number} ${decision?.question}: ${why}`)
    },
  })
  if (!planned.ok || stuck.length === 0) return planned
  return refuse(
    'conflict',
    `Work from before that decision rests on what would go. Correct the decision instead. ${stuck.join('; ')}`,
  )
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
    each.standing.place > decision.standing.place && (each.key !== null || each.checkpointId !== null)
  return { superseded: decisions.filter(each => isActive(each) && later(each)), again: [] }
}
