import type { Action } from '../../domain/action.ts'
import type { ChildRequest } from '../../domain/actor/actor.ts'
import { bindArguments } from '../../domain/arguments.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { overlayForChild } from '../../domain/guards/guard-overlay.ts'
import type { DecisionId, PlanId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import { MAX_DEPTH } from '../../domain/plan/spawn.ts'
import { inherit } from '../../domain/profile/safety.ts'
import { recordRoot } from '../decision/record-root.ts'
import { limitsOfChild } from '../guardrails/limits-for.ts'
import { stateForPlan, withInvariants } from '../invariant/candidates.ts'
import type { Ports } from '../ports.ts'
import { findAction } from '../project/find-action.ts'
import { withSettledActors } from '../settle-actors.ts'

/** A child that could be made: its action is there and its arguments fit. */
export interface CheckedChild {
  readonly request: ChildRequest
  readonly action: Action
  readonly args: Plan['args']
}

export function checkChild(ports: Ports, parent: Plan, request: ChildRequest): Result<CheckedChild> {
  const depth = depthOf(ports, parent) + 1
  if (depth > MAX_DEPTH) {
    const message = `Plan ${parent.name} lies ${MAX_DEPTH} plans deep; deeper ones are not started.`
    return refuse('denied', message, { depth, most: MAX_DEPTH })
  }
  const entry = findAction(ports, request.action)
  if (!entry.ok) return entry
  const { action } = entry.value
  const settled = withSettledActors(ports, action, parent.project.name)
  const unavailable = ports.actions.unavailable(settled)
  if (action.state === 'archived')
    return refuse('invalid_state', `The action ${action.name} is archived.`, { action: action.name })
  if (unavailable) return refuse('not_available', unavailable, { action: action.name })
  const args = bindArguments(action.arguments, { kind: 'values', values: request.args })
  if (!args.ok) return refuse(args.failure.code, `Child ${request.key}: ${args.failure.message}`)
  return { ok: true, value: { request, action: settled, args: args.value } }
}

function depthOf(ports: Ports, plan: Plan): number {
  let depth = 0
  for (let at = plan; at.parentPlanId; depth++) {
    const parent = ports.store.plans.find(at.parentPlanId)
    if (!parent) break
    at = parent
  }
  return depth
}

export interface Birth {
  readonly planId: PlanId
  readonly spawnDecisionId: DecisionId
  readonly appliesTo: Plan['appliesTo']
}

/** The child's row with its first decision. It begins when its parent says so. Call it inside a transaction. */
export function insertChild(
  ports: Ports,
  parent: Plan,
  { request, action, args }: CheckedChild,
  birth: Birth,
): Plan {
  const now = ports.clock.now()
  const made: Plan = {
    ...birth,
    ...rightsUnder(parent, action),
    name: nameUnder(ports, parent, request.key),
    project: parent.project,
    parentPlanId: parent.planId,
    rootPlanId: parent.rootPlanId,
    spawnKey: request.key,
    startsFrom: null,
    position: 'action/queued',
    preflight: null,
    remembered: null,
    reason: null,
    attempt: 1,
    reversions: 0,
    // What was changed about the parent so far holds from the child's beginning.
    guardOverlay: overlayForChild(parent.guardOverlay, action.guards),
    args,
    invariants: [],
    guidance: request.guidance === null ? [] : [request.guidance],
    constraints: [],
    strategy: null,
    contextId: parent.contextId,
    appliedState: null,
    left: null,
    confinement: null,
    takenBackBy: null,
    workRemovedAt: null,
    notices: parent.sandboxNotice === null ? [] : [parent.sandboxNotice],
    changes: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    endedAt: null,
  }
  stateForPlan(ports, made, [], ports.host.user)
  const child = withInvariants(ports, made)
  ports.store.plans.insert(child)
  ports.store.events.append(child.planId, child.rootPlanId, { type: 'PLAN_CREATED', plan: child })
  recordRoot(ports, child)
  return child
}

/** With a counter where a child of that name was cancelled and is made anew. */
function nameUnder(ports: Ports, { planId, name }: Plan, key: string): string {
  const taken = new Set(ports.store.plans.listChildren(planId).map(child => child.name))
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? `${name}/${key}` : `${name}/${key}-${count}`
    if (!taken.has(candidate)) return candidate
  }
}

/**
 * What a child may do and where: as its parent, or less where its action wants less, and never more. Standing approvals
 * of the parent do not reach it, since they name that plan. Money and time that the parent has left are its as well.
 */
function rightsUnder(
  parent: Plan,
  action: Action,
): Pick<
  Plan,
  | 'action'
  | 'profile'
  | 'profileSource'
  | 'safetySources'
  | 'guardrails'
  | 'resources'
  | 'sandbox'
  | 'sandboxNotice'
> {
  return {
    action: { ...action, readOnly: action.readOnly || parent.action.readOnly },
    ...inherit(parent, action.safetyProfile),
    profileSource: 'parent',
    guardrails: limitsOfChild(parent.guardrails, action),
    resources: parent.resources,
    sandbox: parent.sandbox,
    sandboxNotice: parent.sandboxNotice,
  }
}
