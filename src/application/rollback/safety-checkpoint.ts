import { asId } from '../../domain/ids.ts'
import type { Checkpoint, Cursor } from '../../domain/plan/journal.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { isActive } from '../../domain/plan/tree.ts'
import type { Ports } from '../ports.ts'

/**
 * Where the plan stands now, on a sandbox that was just recorded: what a rollback or a correction can be taken back
 * with. Call it inside a transaction.
 */
export function insertSafetyCheckpoint(ports: Ports, plan: Plan, cursor: Cursor, label: string): Checkpoint {
  const holding = ports.store.decisions.listByPlan(plan.planId).filter(isActive)
  const checkpoint: Checkpoint = {
    checkpointId: asId(ports.newId()),
    planId: plan.planId,
    decisionId: null,
    label,
    resource: plan.project.name,
    state: cursor.sandboxState,
    createdAt: ports.clock.now(),
    origin: {
      kind: 'safety',
      cursor,
      activeIds: holding.map(decision => decision.decisionId),
      standings: holding
        .filter(each => each.key !== null)
        .map(({ decisionId, standing }) => ({ decisionId, standing })),
      line: ports.store.works.listPresent(plan.planId).map(work => work.seq),
      spawns: ports.store.steps.listOpenSpawns(plan.planId),
      reversions: plan.reversions,
      guidance: plan.guidance,
      changes: plan.changes,
    },
  }
  ports.store.checkpoints.insert(checkpoint)
  ports.store.events.append(plan.planId, plan.rootPlanId, { type: 'CHECKPOINT_CREATED', checkpoint })
  return checkpoint
}
