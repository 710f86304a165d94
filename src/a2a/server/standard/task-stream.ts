import type { StreamResponse } from '@a2a-js/sdk'
import type { PlanDetails } from '../../../application/backend/plan.ts'
import type { PlanEvent } from '../../../application/events.ts'
import { isSettled } from '../../../domain/plan/lifecycle.ts'
import type { Plan } from '../../../domain/plan/plan.ts'
import { followLog } from '../follow-log.ts'
import { taskStateOf } from '../to-view/plan.ts'
import { artifact, dataPart } from './parts.ts'
import { changesOf, planStatus, taskState } from './plan-task.ts'
import type { StandardCall } from './request-handler.ts'

/**
 * A plan's way to its next rest as standard frames: every new state, what it produced, and at last what it asks. Where a
 * plan below it asks while others go on, the stream ends with that question: nobody looks for one on a stream that goes on.
 */
export async function* streamPlan(
  begun: PlanDetails,
  afterSeq: number,
  call: StandardCall,
): AsyncGenerator<StreamResponse, void> {
  let { plan } = begun
  let state = stateOf(begun, call)
  const told = new Set(begun.openGates.map(({ gateId }) => gateId))
  for await (const page of followLog(call.backend.events, afterSeq, call.signal)) {
    for (const event of page) {
      if (event.rootPlanId !== plan.rootPlanId) continue
      const isOwn = event.planId === plan.planId
      const produced = isOwn && producedBy(event, plan)
      if (produced) yield produced
      const moved = isOwn ? planIn(event) : null
      plan = moved ?? plan
      if (moved && isSettled(moved.position)) return yield* rest(plan, call)
      if (!moved && !isAboutQuestion(event)) continue
      const below = askedBelow(plan, call)
      if (below.some(({ gateId }) => !told.has(gateId))) return yield* rest(plan, call)
      const next = stateOf({ plan, openGates: below }, call)
      if (next === state) continue
      state = next
      yield statusUpdate(plan, planStatus({ ...call.backend.details(plan), openGates: below }, call, null))
    }
  }
}

function isAboutQuestion({ body }: PlanEvent): boolean {
  return body.type === 'GATE_OPENED' || body.type === 'GATE_RESOLVED' || body.type === 'GATE_VOIDED'
}

/** Its own questions come with the rest. */
function askedBelow(plan: Plan, call: StandardCall): PlanDetails['openGates'] {
  return call.openGates(plan).filter(({ planId }) => planId !== plan.planId)
}

/** The end of a stream: the change it is about, then the state with its question or its reason. */
async function* rest(plan: Plan, call: StandardCall): AsyncGenerator<StreamResponse, void> {
  const details = call.backend.details(plan)
  for (const each of await changesOf(details, call)) yield artifactUpdate(plan, each)
  yield statusUpdate(plan, planStatus(details, call, null))
}

function stateOf(details: Pick<PlanDetails, 'plan' | 'openGates'>, { sdk }: StandardCall): number {
  return taskState(sdk, taskStateOf(details))
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
