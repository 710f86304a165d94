import type { WireEvent } from '../src/a2a/protocol/events.ts'
import type { GateView } from '../src/a2a/protocol/views/gate.ts'
import type { PlanView } from '../src/a2a/protocol/views/plan.ts'
import { putGate } from './gates.ts'
import { addEntry } from './log.ts'
import { logOf, type Model, stepsOf } from './model.ts'
import { changeDecision, noteStep, type PlanTree, putGateNode, putPlanNode } from './plan-tree.ts'
import { ancestorsOf, putPlan } from './plans.ts'
import { endedPhase, endPhase, record, restore, supersede } from './replay.ts'
import { addOutput, putStep } from './steps.ts'

/** What an event touched: the ids that changed, and the plans whose fetched diffs and explanations are now old. */
export interface Changed {
  readonly ids: readonly string[]
  readonly stalePlanIds: readonly string[]
}

const nothing: Changed = { ids: [], stalePlanIds: [] }

/** The one way an event changes what is known. The same events in the same order always give the same model. */
export function applyEvent(model: Model, event: WireEvent): Changed {
  if (event.seq <= model.lastSeq) return nothing
  model.lastSeq = event.seq
  addEntry(logOf(model, event.plan_id), event)
  const changed = applyToModel(model, event)
  for (const planTree of treesOf(model, event.plan_id)) {
    if (planTree.status.kind === 'loading') planTree.status.waiting.push(event)
    else applyToTree(planTree, event)
  }
  return changed
}

/** The part of an event that concerns one tree; also used for events that waited until the tree was loaded. */
export function applyToTree(planTree: PlanTree, event: WireEvent): void {
  switch (event.method) {
    case 'task/statusUpdate':
      if (event.plan_id !== planTree.planId) putPlanNode(planTree, event.plan)
      endPhase(planTree, event.plan_id, endedPhase(event.plan))
      break
    case '_cleveragents/decision/recorded':
      record(planTree, event.decision)
      break
    case '_cleveragents/decision/workDone':
      changeDecision(planTree, event.decision_id, { changes: event.changes })
      break
    case '_cleveragents/decision/superseded':
      supersede(planTree, event)
      break
    case '_cleveragents/decision/restored':
      restore(planTree, event.decision_ids)
      break
    case '_cleveragents/step/started':
    case '_cleveragents/step/finished':
      noteStep(planTree, event.step)
      break
    case '_cleveragents/gate/opened':
      putGateNode(planTree, event.gate)
      // Asking for the next phase, a plan has come to everything of this one.
      if (event.gate.subject.kind === 'phase' && event.gate.kind !== 'confirmation')
        endPhase(planTree, event.plan_id, event.gate.phase)
      break
    case '_cleveragents/gate/resolved':
    case '_cleveragents/gate/void':
      putGateNode(planTree, event.gate)
      break
    default:
  }
}

function applyToModel(model: Model, event: WireEvent): Changed {
  const planId = event.plan_id
  switch (event.method) {
    case 'task/statusUpdate':
      putPlan(model.plans, event.plan)
      return changed(planId, [planId])
    case 'task/artifactUpdate':
      return changed(planId, [planId])
    case '_cleveragents/decision/recorded':
      return changed(planId, [event.decision.decision_id])
    case '_cleveragents/decision/workDone':
      return changed(planId, [event.decision_id])
    case '_cleveragents/decision/superseded':
    case '_cleveragents/decision/restored':
      return changed(planId, event.decision_ids)
    case '_cleveragents/step/started':
    case '_cleveragents/step/finished':
      putStep(stepsOf(model, planId), event.step)
      return { ids: [event.step.step_id, ...idOf(event.step.decision_id)], stalePlanIds: [] }
    case '_cleveragents/step/output':
      addOutput(stepsOf(model, planId), event.step_id, event.text)
      return { ids: [event.step_id], stalePlanIds: [] }
    case '_cleveragents/gate/opened':
    case '_cleveragents/gate/resolved':
    case '_cleveragents/gate/void':
      return applyGate(model, event.gate)
    case '_cleveragents/cost/charged':
      return applyCost(model, planId, { usd: event.plan_usd, tokens: event.plan_tokens })
    case '_cleveragents/limits/changed':
    case '_cleveragents/lease/changed':
      return { ids: [planId], stalePlanIds: [] }
    case '_cleveragents/guard/stopped':
    case '_cleveragents/gate/passed':
      return { ids: [planId], stalePlanIds: [] }
    case '_cleveragents/plan/profileChanged':
    case '_cleveragents/guard/changed':
    case '_cleveragents/checkpoint/created':
    case '_cleveragents/correction/started':
    case '_cleveragents/correction/finished':
    case '_cleveragents/gap':
      return changed(planId, [planId])
  }
}

function applyGate(model: Model, gate: GateView): Changed {
  putGate(model.gates, gate)
  return { ids: [gate.plan_id, gate.gate_id], stalePlanIds: [] }
}

function applyCost(model: Model, planId: string, cost: PlanView['cost']): Changed {
  const plan = model.plans.byId.get(planId)
  if (plan)
    putPlan(model.plans, {
      ...plan,
      cost,
      budget: { ...plan.budget, spent: cost.usd ?? plan.budget.spent },
      limits: { ...plan.limits, tokens: { ...plan.limits.tokens, used: cost.tokens } },
    })
  return { ids: [planId], stalePlanIds: [] }
}

function treesOf(model: Model, planId: string): PlanTree[] {
  const planIds = [planId, ...ancestorsOf(model.plans, planId)]
  return planIds.flatMap(id => model.trees.get(id) ?? [])
}

function changed(planId: string, ids: readonly string[]): Changed {
  return { ids: [...new Set([planId, ...ids])], stalePlanIds: [planId] }
}

function idOf(id: string | null): string[] {
  return id === null ? [] : [id]
}
