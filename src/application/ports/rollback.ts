import type { CheckpointId, CorrectionId, PlanId } from '../../domain/ids.ts'
import type { Checkpoint, Correction } from '../../domain/plan/journal.ts'

export interface CheckpointRepository {
  insert(checkpoint: Checkpoint): void
  find(checkpointId: CheckpointId): Checkpoint | null
  match(reference: string, planId: PlanId): CheckpointId[]
  listByPlan(planId: PlanId): Checkpoint[]
}

export interface CorrectionRepository {
  put(correction: Correction): void
  find(correctionId: CorrectionId): Correction | null
  match(reference: string, planId: PlanId): CorrectionId[]
  listByPlan(planId: PlanId): Correction[]
}
