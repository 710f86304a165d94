import type {
  CancelledChild,
  CorrectionOutcome,
  Impact,
  RestoreGroups,
} from '../../../application/backend/correction.ts'
import type { RollbackImpact } from '../../../application/backend/rollback.ts'
import type { Correction } from '../../../domain/plan/journal.ts'
import { stateOf } from '../../../domain/plan/lifecycle.ts'
import type { CorrectionEventView, CorrectionView, ImpactView } from '../../protocol/views/correction.ts'
import type { RollbackImpactView } from '../../protocol/views/rollback.ts'
import { mentionView } from './decision.ts'

export function correctionView(outcome: CorrectionOutcome): CorrectionView {
  return {
    correction_id: outcome.correction?.correctionId ?? null,
    plan_id: outcome.plan.planId,
    decision_id: outcome.targetDecisionId,
    mode: outcome.mode,
    status: outcome.correction?.status ?? 'preview',
    guidance: outcome.guidance,
    impact: impactView(outcome.impact),
    attempt: outcome.correction?.attempt ?? outcome.plan.attempt,
    child_plan_id: outcome.correction?.childPlanId ?? null,
  }
}

export function correctionEventView(correction: Correction): CorrectionEventView {
  return {
    correction_id: correction.correctionId,
    plan_id: correction.planId,
    decision_id: correction.targetDecisionId,
    mode: correction.mode,
    status: correction.status,
    guidance: correction.guidance,
    attempt: correction.attempt,
    superseded_ids: [...correction.supersededIds],
    failure: correction.failure,
  }
}

export function rollbackImpactView(impact: RollbackImpact): RollbackImpactView {
  return {
    ...groupsView(impact),
    decisions: impact.decisions.map(mentionView),
    decisions_again: impact.decisionsAgain.map(mentionView),
    plans: impact.plans.map(cancelledPlanView),
    gates_again: [...impact.gatesAgain],
    digest: impact.digest,
  }
}

function groupsView({ restored, leftAlone, cannotRestore }: RestoreGroups) {
  return {
    restored: restored.map(each => ({ ...each })),
    left_alone: leftAlone.map(each => ({ ...each })),
    cannot_restore: cannotRestore.map(each => ({ ...each })),
  }
}

function impactView(impact: Impact): ImpactView {
  return {
    decisions: impact.decisions.map(mentionView),
    plans: impact.plans.map(cancelledPlanView),
    ...groupsView(impact),
    kept: [...impact.kept],
    tier: impact.tier,
    warnings: [...impact.warnings],
    gates_again: [...impact.gatesAgain],
    irreversible: [...impact.irreversible],
    digest: impact.digest,
  }
}

function cancelledPlanView({ planId, name, position, becomes }: CancelledChild) {
  return { plan_id: planId, name, state: stateOf(position), becomes }
}
