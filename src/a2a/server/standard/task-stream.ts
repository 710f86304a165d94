import type { StreamResponse } from '@a2a-js/sdk'
import type { PlanEvent } from '../../../application/events.ts'
import { isSettled } from '../../../domain/plan/lifecycle.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import { followLog } from '../follow-log.ts'
import { taskStateOf } from '../to-view/plan.ts'
import { artifact, dataPart } from './parts.ts'
import { changesOf, planStatus, taskState } from './plan-task.ts'
import type { StandardCall } from './request-handler.ts'

/** A plan's way to its next rest as standard frames: every new state, what it produced, and at last what it asks. */
export async function* streamPlan(
  plan: Plan,
  afterSeq: number,
  call: StandardCall,
): AsyncGenerator<StreamResponse, void> {
  let state = stateOf(plan, call)
  for await (const page of followLog(call.backend.events, afterSeq, call.signal)) {
    for (const event of page) {
      if (event.planId !== plan.planId) continue
      const produced = producedBy(event, plan)
      if (produced) yield produced
      const moved = planIn(event)
      if (!moved) continue
      if (isSettled(moved.position)) return yield* rest(moved, call)
      const next = stateOf(moved, call)
      if (next === state) continue
      state = next
      yield statusUpdate(moved, planStatus({ ...call.backend.details(moved), openGates: [] }, call, null))
    }
  }
}

/** The end of a stream: the change it is about, then the state with its question or its reason. */
async function* rest(plan: Plan, call: StandardCall): AsyncGenerator<StreamResponse, void> {
  const details = call.backend.details(plan)
  for (const each of await changesOf(details, call)) yield artifactUpdate(plan, each)
  yield statusUpdate(plan, planStatus(details, call, null))
}

/** On the way only; what is asked comes with the rest. */
function stateOf(plan: Plan, { sdk }: StandardCall): number {
  return taskState(sdk, taskStateOf({ plan, openGates: [] }))
}

function planIn({ body }: PlanEvent): Plan | null {
  return 'plan' in body ? body.plan : null
}

function producedBy({ body }: PlanEvent, plan: Plan): StreamResponse | null {
  if (body.type !== 'ARTIFACT_PRODUCED') return null
  const { name, kind, bytes } = body
  return artifactUpdate(plan, artifact(name, kind, [dataPart({ name, kind, bytes })]))
}

function statusUpdate(plan: Plan, status: ReturnType<typeof planStatus>): StreamResponse {
  const { planId: taskId, contextId } = plan
  return { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata: undefined } } }
}

function artifactUpdate(plan: Plan, produced: ReturnType<typeof artifact>): StreamResponse {
  const { planId: taskId, contextId } = plan
  const value = { taskId, contextId, artifact: produced, append: false, lastChunk: true, metadata: undefined }
  return { payload: { $case: 'artifactUpdate', value } }
}
