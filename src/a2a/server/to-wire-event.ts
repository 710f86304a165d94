import type { PlanEvent } from '../../application/events.ts'
import { assertNever } from '../../domain/failure.ts'
import { phaseOf, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { WireEvent } from '../protocol/events.ts'
import type { Call } from './call.ts'
import { correctionEventView } from './to-view/correction.ts'
import { confidenceView, decisionView, edgeView } from './to-view/decision.ts'
import { gateView } from './to-view/gate.ts'
import { guardChangeView } from './to-view/guard.ts'
import { checkpointView, stepView } from './to-view/journal.ts'
import { limitValuesView } from './to-view/limits.ts'
import { planView, taskStateOf } from './to-view/plan.ts'

type Source = Pick<Call, 'backend' | 'here'>

/** One row of the event log as `event/subscribe` sends it. */
export function toWireEvent(event: PlanEvent, subscription: string, source: Source): WireEvent {
  const common = {
    subscription,
    seq: event.seq,
    event_id: event.eventId,
    plan_id: event.planId,
    root_plan_id: event.rootPlanId,
    at: event.at,
  }
  const { body } = event
  switch (body.type) {
    case 'PLAN_CREATED':
    case 'PLAN_PHASE_CHANGED':
    case 'PLAN_STATE_CHANGED':
    case 'PLAN_APPLIED':
    case 'PLAN_CANCELLED':
    case 'PLAN_ERRORED':
      return { ...common, method: 'task/statusUpdate', ...statusOf(body.plan, source) }
    case 'DECISION_RECORDED':
      return {
        ...common,
        method: '_cleveragents/decision/recorded',
        decision: decisionView(body.decision),
        edges: body.influences.map(edgeView),
      }
    case 'DECISION_WORK_DONE': {
      const { decisionId, changes } = body
      return { ...common, method: '_cleveragents/decision/workDone', decision_id: decisionId, changes }
    }
    case 'DECISIONS_SUPERSEDED':
      return {
        ...common,
        method: '_cleveragents/decision/superseded',
        decision_ids: [...body.decisionIds],
        reason: body.reason,
        correction_id: body.correctionId,
        superseded_by: body.supersededBy,
      }
    case 'DECISIONS_RESTORED':
      return { ...common, method: '_cleveragents/decision/restored', decision_ids: [...body.decisionIds] }
    case 'STEP_STARTED':
      return { ...common, method: '_cleveragents/step/started', step: stepView(body.step) }
    case 'STEP_OUTPUT':
      return { ...common, method: '_cleveragents/step/output', step_id: body.stepId, text: body.text }
    case 'STEP_FINISHED':
      return { ...common, method: '_cleveragents/step/finished', step: stepView(body.step) }
    case 'GATE_OPENED':
      return { ...common, method: '_cleveragents/gate/opened', gate: gateView(body.gate) }
    case 'GATE_PASSED': {
      const { about, confidence } = body.judgement
      return {
        ...common,
        method: '_cleveragents/gate/passed',
        about,
        confidence: confidenceView(confidence),
      }
    }
    case 'GUARD_STOPPED': {
      const { guard, tool, reason, scope, gateId } = body
      return { ...common, method: '_cleveragents/guard/stopped', guard, tool, reason, scope, gate_id: gateId }
    }
    case 'GUARDS_CHANGED': {
      const { change, loosened, reason, by } = body
      return {
        ...common,
        method: '_cleveragents/guard/changed',
        change: guardChangeView(change),
        loosened: [...loosened],
        reason,
        by,
      }
    }
    case 'GATE_RESOLVED':
      return { ...common, method: '_cleveragents/gate/resolved', gate: gateView(body.gate) }
    case 'GATE_VOIDED':
      return { ...common, method: '_cleveragents/gate/void', gate: gateView(body.gate) }
    case 'CHECKPOINT_CREATED':
      return {
        ...common,
        method: '_cleveragents/checkpoint/created',
        checkpoint: checkpointView(body.checkpoint),
      }
    case 'CHECKPOINT_RESTORED': {
      const lists = { restored: [...body.restored], removed: [...body.removed] }
      return { ...common, method: 'task/artifactUpdate', taskId: event.planId, artifact: null, ...lists }
    }
    case 'ARTIFACT_PRODUCED': {
      const artifact = { name: body.name, kind: body.kind, bytes: body.bytes }
      const none = { restored: [], removed: [] }
      return { ...common, method: 'task/artifactUpdate', taskId: event.planId, artifact, ...none }
    }
    case 'COST_CHARGED':
      return {
        ...common,
        method: '_cleveragents/cost/charged',
        usd: body.usd,
        plan_usd: body.planUsd,
        tokens: body.tokens,
        plan_tokens: body.planTokens,
      }
    case 'CORRECTION_STARTED':
      return {
        ...common,
        method: '_cleveragents/correction/started',
        correction: correctionEventView(body.correction),
      }
    case 'CORRECTION_FINISHED':
      return {
        ...common,
        method: '_cleveragents/correction/finished',
        correction: correctionEventView(body.correction),
      }
    case 'LIMITS_CHANGED':
      return {
        ...common,
        method: '_cleveragents/limits/changed',
        before: limitValuesView(body.before),
        after: limitValuesView(body.after),
        by: body.by,
      }
    case 'PROFILE_CHANGED':
      return {
        ...common,
        method: '_cleveragents/plan/profileChanged',
        from: body.from.name,
        to: body.to.name,
        reason: body.reason,
        by: body.by,
      }
    case 'LEASE_CHANGED':
      return {
        ...common,
        method: '_cleveragents/lease/changed',
        holder: body.holder && { pid: body.holder.pid },
      }
    default:
      return assertNever(body)
  }
}

function statusOf(plan: Plan, { backend, here }: Source) {
  const details = backend.details(plan)
  return {
    taskId: plan.planId,
    state: taskStateOf(details),
    phase: phaseOf(plan.position),
    plan_state: stateOf(plan.position),
    reason: plan.reason,
    plan: planView(details, here),
  }
}
