import { type Result, refuse } from '../../domain/failure.ts'
import type { CheckpointId } from '../../domain/ids.ts'
import type { RollbackOutcome, Undo } from '../backend/rollback.ts'
import type { PlanOwner } from '../plan-owner.ts'
import type { Ports } from '../ports.ts'
import { findPlan } from '../references.ts'
import { RESTORE_PATH } from './journalled-restore.ts'
import { rollbackPlan } from './rollback-plan.ts'

/**
 * Takes the last correction or rollback of a plan back, as a rollback to the moment before it. It can be taken back in
 * the same way, which brings that correction or rollback again.
 */
export async function undo(ports: Ports, owner: PlanOwner, input: Undo): Promise<Result<RollbackOutcome>> {
  const plan = findPlan(ports, input.planRef)
  if (!plan.ok) return plan
  const { planId, name } = plan.value
  const last = ports.store.steps
    .listByPlan(planId)
    .findLast(step => step.kind === 'restore' && step.path === RESTORE_PATH && step.status === 'done')
  if (!last)
    return refuse(
      'not_found',
      `Plan ${name} was neither corrected nor rolled back; there is nothing to undo.`,
      {
        plan_id: planId,
      },
    )
  const checkpointRef = last.input['safety_checkpoint_id'] as CheckpointId // written by beginRestore
  return rollbackPlan(ports, owner, { ...input, planRef: planId, checkpointRef })
}
