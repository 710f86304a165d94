import type { PlanDetails } from '../../../application/backend/plan.ts'
import { assertNever } from '../../../domain/failure.ts'
import type { ProcessIdentity } from '../../../domain/plan/journal.ts'
import { phaseOf, stateOf } from '../../../domain/plan/lifecycle.ts'
import { appliedPart, type Plan } from '../../../domain/plan/plan.ts'
import type { ChildPlanView, PlanView, TaskStateName } from '../../protocol/views/plan.ts'
import { gateView } from './gate.ts'
import { budgetView, costView, limitsView } from './limits.ts'

export function planView(details: PlanDetails, here: ProcessIdentity): PlanView {
  const { plan } = details
  return {
    plan_id: plan.planId,
    name: plan.name,
    action: plan.action.name,
    description: plan.action.description,
    project: { name: plan.project.name, root: plan.project.root },
    parent_plan_id: plan.parentPlanId,
    root_plan_id: plan.rootPlanId,
    spawn_decision_id: plan.spawnDecisionId,
    applies_to: plan.appliesTo,
    children: details.children.map(childPlanView),
    waits_for: details.waitsFor && { plan_id: details.waitsFor.planId, name: details.waitsFor.name },
    phase: phaseOf(plan.position),
    state: stateOf(plan.position),
    task_state: taskStateOf(details),
    reason: plan.reason,
    attempt: plan.attempt,
    preflight: plan.preflight?.map(each => ({ ...each, findings: [...each.findings] })) ?? null,
    profile: { name: plan.profile.name, source: plan.profileSource },
    args: plan.args,
    invariants: plan.invariants.map(({ text }) => text),
    gates: details.openGates.map(gateView),
    cost: costView(details.limits),
    budget: budgetView(details.limits),
    limits: limitsView(details.limits),
    changes: details.changes,
    applied: appliedPart(plan),
    left: plan.left,
    confinement: plan.confinement,
    taken_back_by: takenBackView(details),
    notices: [...details.notices],
    sandbox: sandboxView(details.sandbox),
    runner: runnerView(details.runner, here),
    created_at: plan.createdAt,
    updated_at: plan.updatedAt,
    started_at: plan.startedAt,
    ended_at: plan.endedAt,
  }
}

export function childPlanView(plan: Plan): ChildPlanView {
  return {
    plan_id: plan.planId,
    name: plan.name,
    parent_plan_id: plan.parentPlanId ?? plan.rootPlanId,
    spawn_decision_id: plan.spawnDecisionId,
    key: plan.spawnKey,
    action: plan.action.name,
    phase: phaseOf(plan.position),
    state: stateOf(plan.position),
    reason: plan.reason,
    changes: plan.changes,
  }
}

function sandboxView({ name, place, restores, protects, doesNotProtect }: PlanDetails['sandbox']) {
  return {
    strategy: name,
    place,
    restores,
    protects: [...protects],
    does_not_protect: [...doesNotProtect],
  }
}

/** The A2A task state: computed here, stored nowhere. An open question below a plan is one of the plan. */
export function taskStateOf({ plan, openGates }: Pick<PlanDetails, 'plan' | 'openGates'>): TaskStateName {
  const own = ownTaskState(plan)
  return own === 'working' && openGates.length > 0 ? 'input-required' : own
}

function ownTaskState(plan: Plan): TaskStateName {
  const state = stateOf(plan.position)
  switch (state) {
    case 'queued':
      return plan.startedAt === null ? 'submitted' : 'working'
    case 'running':
    case 'complete':
      return 'working'
    case 'awaiting_input':
    case 'paused':
    case 'constrained':
      return 'input-required'
    case 'errored':
      return phaseOf(plan.position) === 'action' ? 'rejected' : 'failed'
    case 'cancelled':
      return 'canceled'
    case 'applied':
      return 'completed'
    default:
      return assertNever(state)
  }
}

function runnerView(runner: ProcessIdentity | null, here: ProcessIdentity): PlanView['runner'] {
  if (runner === null) return null
  return { pid: runner.pid, here: runner.pid === here.pid && runner.startedAt === here.startedAt }
}

function takenBackView({ takenBackBy }: PlanDetails): PlanView['taken_back_by'] {
  if (takenBackBy === null) return null
  const { planId, name, position } = takenBackBy
  return { plan_id: planId, name, state: stateOf(position) }
}
