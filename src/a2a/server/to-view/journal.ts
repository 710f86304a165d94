import type { CorrectionOutcome, Diff } from '../../../application/backend.ts'
import type { Outcome } from '../../../domain/actor/actor.ts'
import type { Checkpoint, Correction, Step } from '../../../domain/plan/journal.ts'
import type { ChangedFile } from '../../../domain/sandbox/changeset.ts'
import type {
  ChangedFileView,
  CheckpointView,
  CorrectionEventView,
  CorrectionView,
  DiffView,
  StepView,
} from '../../protocol/views.ts'
import { impactView } from './decision.ts'

export function stepView(step: Step): StepView {
  return {
    step_id: step.stepId,
    plan_id: step.planId,
    decision_id: step.decisionId,
    path: step.path,
    kind: step.kind,
    tool: step.tool,
    phase: step.phase,
    attempt: step.attempt,
    status: step.status,
    summary: step.summary,
    input: step.input,
    output: step.outcome && outputOf(step.outcome),
    started_at: step.startedAt,
    ended_at: step.endedAt,
  }
}

export function checkpointView(checkpoint: Checkpoint): CheckpointView {
  return {
    checkpoint_id: checkpoint.checkpointId,
    plan_id: checkpoint.planId,
    decision_id: checkpoint.decisionId,
    label: checkpoint.label,
    resources: [checkpoint.resource],
    created_at: checkpoint.createdAt,
  }
}

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
    child_plan_id: null,
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

export function changedFileView(file: ChangedFile): ChangedFileView {
  const { path, oldPath, status, additions, deletions, binary } = file
  return { path, old_path: oldPath, status, additions, deletions, binary }
}

export function diffView({ planId, changeSet, patch }: Diff): DiffView {
  return {
    plan_id: planId,
    digest: changeSet.digest,
    files: changeSet.files.map(changedFileView),
    ...patchText(patch),
  }
}

/** Files have no encoding; JSON has. What is not UTF-8 travels as base64 and says so. */
function patchText(patch: Uint8Array): Pick<DiffView, 'patch' | 'patch_encoding'> {
  try {
    return { patch: strictUtf8.decode(patch), patch_encoding: 'utf8' }
  } catch {
    return { patch: Buffer.from(patch).toString('base64'), patch_encoding: 'base64' }
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function outputOf(outcome: Outcome): unknown {
  if (outcome.kind === 'tool_result') return outcome.output
  if (outcome.kind === 'tool_refused')
    return { error: outcome.failure.code, message: outcome.failure.message }
  if (outcome.kind !== 'validated') return null
  return { result: outcome.result, exit_code: outcome.exitCode, message: outcome.message }
}
