import type { Diff } from '../../../application/backend/diff.ts'
import type { Outcome } from '../../../domain/actor/actor.ts'
import type { Checkpoint, Step } from '../../../domain/plan/journal.ts'
import type { ChangedFile } from '../../../domain/sandbox/changeset.ts'
import type { ChangedFileView, DiffView } from '../../protocol/views/changes.ts'
import type { CheckpointView } from '../../protocol/views/rollback.ts'
import type { StepView } from '../../protocol/views/step.ts'

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
    kind: checkpoint.origin.kind,
    label: checkpoint.label,
    resources: [checkpoint.resource],
    created_at: checkpoint.createdAt,
  }
}

export function changedFileView(file: ChangedFile): ChangedFileView {
  const { path, oldPath, status, additions, deletions, binary } = file
  return { path, old_path: oldPath, status, additions, deletions, binary }
}

export function diffView({ planId, part, titles, changeSet, patch }: Diff): DiffView {
  return {
    plan_id: planId,
    digest: changeSet.digest,
    part,
    old: { title: titles.old },
    new: { title: titles.new },
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
