import type { Artifact, Part, Task, TaskStatus } from '@a2a-js/sdk'
import type { PlanDetails } from '../../../application/backend/plan.ts'
import { isFinal } from '../../../domain/plan/lifecycle.ts'
import { EXTENSION_URI } from '../../protocol/envelope.ts'
import type { PlanView, TaskStateName } from '../../protocol/views/plan.ts'
import { diffView } from '../to-view/journal.ts'
import { planView } from '../to-view/plan.ts'
import { gateMessage } from './gate-message.ts'
import { agentMessage, artifact, dataPart, textPart } from './parts.ts'
import type { StandardCall } from './request-handler.ts'
import type { Sdk } from './sdk.ts'

/** A plan as A2A's task: the plan's id is the task's id. */
export async function planTask(details: PlanDetails, call: StandardCall, note: string | null): Promise<Task> {
  const view = planView(details, call.here)
  return {
    id: view.plan_id,
    contextId: details.plan.contextId,
    status: planStatus(details, call, note),
    artifacts: await changesOf(details, call),
    history: call.history.of(view.plan_id),
    metadata: { [EXTENSION_URI]: metadataOf(view) },
  }
}

/** The state, and in words what is asked or why it stopped. */
export function planStatus(details: PlanDetails, call: StandardCall, note: string | null): TaskStatus {
  const { sdk } = call
  const view = planView(details, call.here)
  const belonging = { taskId: view.plan_id, contextId: details.plan.contextId }
  const parts = [...(note === null ? [] : [textPart(note)]), ...partsOf(view, call)]
  return {
    state: taskState(sdk, view.task_state),
    message: parts.length > 0 ? agentMessage(sdk, belonging, parts) : undefined,
    timestamp: view.updated_at,
  }
}

export function taskState(sdk: Sdk, name: TaskStateName): number {
  const { TaskState } = sdk
  const states: Record<TaskStateName, number> = {
    submitted: TaskState.TASK_STATE_SUBMITTED,
    working: TaskState.TASK_STATE_WORKING,
    'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
    completed: TaskState.TASK_STATE_COMPLETED,
    failed: TaskState.TASK_STATE_FAILED,
    canceled: TaskState.TASK_STATE_CANCELED,
    rejected: TaskState.TASK_STATE_REJECTED,
  }
  return states[name]
}

/** The whole change so far, once there is something to decide about or it is done. */
export async function changesOf({ plan, openGates }: PlanDetails, call: StandardCall): Promise<Artifact[]> {
  const isAsked = openGates.length > 0 || isFinal(plan.position)
  if (!isAsked || !plan.changes || plan.changes.files === 0) return []
  const diff = await call.backend.diff({
    planRef: plan.planId,
    decisionRef: null,
    correctionRef: null,
    againstRef: null,
    part: null,
    stat: false,
  })
  if (!diff.ok) return []
  const { files, patch, patch_encoding, digest } = diffView(diff.value)
  const whole = patch_encoding === 'utf8' && patch.length <= MAX_PATCH
  const text = whole ? textPart(patch, 'text/x-diff') : textPart('Read it with _cleveragents/plan/diff.')
  return [
    artifact('changes', 'What the plan changes, as a unified diff', [text, dataPart({ digest, files })]),
  ]
}

const MAX_PATCH = 1024 * 1024

function partsOf(view: PlanView, { shown }: StandardCall): Part[] {
  const [gate] = view.gates
  if (gate) {
    shown.remember(view.plan_id, gate)
    const { text, data } = gateMessage(gate, view.gates.length)
    return [textPart(text), dataPart(data)]
  }
  if (view.state === 'paused')
    return [textPart(`Paused. ${view.reason ?? ''} Answer with resume to go on.`.replace('  ', ' '))]
  return view.reason === null ? [] : [textPart(view.reason)]
}

function metadataOf({ plan_id, name, action, phase, state, attempt, changes, parent_plan_id }: PlanView) {
  return { plan_id, name, action, phase, state, attempt, changes, parent_plan_id }
}
