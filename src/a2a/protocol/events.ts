/** The notifications of `event/subscribe`: a method name and params, each with its place in the store's one sequence. */
import * as z from 'zod'
import { changeCountsView } from './views/changes.ts'
import { correctionEventView } from './views/correction.ts'
import { decisionView, edgeView } from './views/decision.ts'
import { gateConfidenceView, gateView } from './views/gate.ts'
import { limitsChangedView } from './views/limits.ts'
import { planView, taskState } from './views/plan.ts'
import { checkpointView } from './views/rollback.ts'
import { stepView } from './views/step.ts'

const common = z.object({
  subscription: z.string(),
  /** Dense per store, from 1. Resume with `after_seq` set to the last one seen. */
  seq: z.number(),
  event_id: z.string(),
  plan_id: z.string(),
  root_plan_id: z.string(),
  at: z.string(),
})

function row<Method extends string, Shape extends z.ZodRawShape>(method: Method, shape: Shape) {
  return common.extend({ method: z.literal(method), ...shape })
}

export const wireEvent = z.discriminatedUnion('method', [
  row('task/statusUpdate', {
    taskId: z.string(),
    state: taskState,
    phase: z.string(),
    plan_state: z.string(),
    reason: z.string().nullable(),
    /** The whole plan after the move, so that a client needs no second call. */
    plan: planView,
  }),
  row('task/artifactUpdate', {
    taskId: z.string(),
    artifact: z.looseObject({ name: z.string() }).nullable(),
    restored: z.array(z.string()),
    removed: z.array(z.string()),
  }),
  row('_cleveragents/decision/recorded', { decision: decisionView, edges: z.array(edgeView) }),
  /** The work under a decision has ended: its change counts are known. */
  row('_cleveragents/decision/workDone', { decision_id: z.string(), changes: changeCountsView }),
  row('_cleveragents/decision/superseded', {
    decision_ids: z.array(z.string()),
    reason: z.string(),
    correction_id: z.string().nullable(),
    superseded_by: z.string().nullable(),
  }),
  row('_cleveragents/decision/restored', { decision_ids: z.array(z.string()) }),
  row('_cleveragents/step/started', { step: stepView }),
  row('_cleveragents/step/output', { step_id: z.string(), text: z.string() }),
  row('_cleveragents/step/finished', { step: stepView }),
  row('_cleveragents/gate/opened', { gate: gateView }),
  /** A guard stopped a call; the gate asks about it. */
  row('_cleveragents/guard/stopped', {
    guard: z.string(),
    tool: z.string(),
    reason: z.string(),
    scope: z.enum(['PLAN', 'SUBPLAN']),
    gate_id: z.string(),
  }),
  /** Somebody changed the guards of the plan. */
  row('_cleveragents/guard/changed', {
    change: z.looseObject({ kind: z.string() }),
    loosened: z.array(z.string()),
    reason: z.string().nullable(),
    by: z.string(),
  }),
  /** The profile let it happen by itself; nobody was asked. */
  row('_cleveragents/gate/passed', { about: z.string(), confidence: gateConfidenceView }),
  row('_cleveragents/gate/resolved', { gate: gateView }),
  row('_cleveragents/gate/void', { gate: gateView }),
  row('_cleveragents/checkpoint/created', { checkpoint: checkpointView }),
  // Amounts are null where the price of any of it is unknown.
  row('_cleveragents/cost/charged', {
    usd: z.number().nullable(),
    plan_usd: z.number().nullable(),
    tokens: z.number(),
    plan_tokens: z.number(),
  }),
  row('_cleveragents/correction/started', { correction: correctionEventView }),
  row('_cleveragents/correction/finished', { correction: correctionEventView }),
  /** A person raised or lowered limits of the plan. */
  row('_cleveragents/limits/changed', limitsChangedView.shape),
  row('_cleveragents/plan/profileChanged', {
    from: z.string(),
    to: z.string(),
    reason: z.string(),
    by: z.string(),
  }),
  row('_cleveragents/lease/changed', { holder: z.object({ pid: z.number() }).nullable() }),
  /** Events asked for no longer exist; the client reads the plan anew. */
  row('_cleveragents/gap', { from: z.number(), to: z.number() }),
])

export type WireEvent = z.infer<typeof wireEvent>
