import { type Result, refuse } from '../../domain/failure.ts'
import { isFinal, phaseOf, positionWords, stateOf } from '../../domain/plan/lifecycle.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { SetPlanProfile } from '../backend/profile.ts'
import { unlessByCommand } from '../by-a-person.ts'
import { refusalBySafety } from '../choose-sandbox.ts'
import { recordDirectly, rootOf } from '../decision/record-decision.ts'
import { savePlan } from '../plan/change-plan.ts'
import type { Ports } from '../ports.ts'
import { findPlan, planOf } from '../references.ts'
import { findProfile } from './find-profile.ts'
import { asItHolds } from './settle-profile.ts'

/**
 * Gives a plan another profile than the one it was made with: a person's explicit word, on record with its reason, and
 * only where a setting allows it (requirements X-10). A question that is open stays open. Children that are made from
 * then on have the new profile, those that exist keep theirs.
 */
export function setPlanProfile(ports: Ports, input: SetPlanProfile): Result<Plan> {
  return ports.store.transaction(() => {
    const plan = findPlan(ports, input.planRef)
    if (!plan.ok) return plan
    const refused = refusalToChange(ports, plan.value, input.reason)
    if (refused) return refused
    const named = findProfile(ports, input.name)
    if (!named.ok) return named
    const { action, project, sandbox } = plan.value
    const effective = asItHolds(ports, named.value, { action, project })
    if (!effective.ok) return effective
    const strategy = ports.sandboxes.strategy(sandbox, plan.value.resources)
    if (!strategy.ok) return strategy
    const forbidden = refusalBySafety(strategy.value, effective.value.profile.safety)
    if (forbidden) return refuse('denied', forbidden, { sandbox })
    return {
      ok: true,
      value: change(ports, plan.value, { ...plan.value, ...effective.value, profileSource: 'plan' }, input),
    }
  })
}

function refusalToChange(ports: Ports, plan: Plan, reason: string): Result<never> | null {
  const byCommand = unlessByCommand(ports, "change a plan's profile")
  if (byCommand) return byCommand
  const { name, planId, position } = plan
  const facts = { plan_id: planId }
  const allowed = ports.settings.get('plans.profile-changes', null)
  if (!allowed.ok) return allowed
  if (allowed.value.value !== 'on')
    return refuse(
      'denied',
      `Plan ${name} keeps the profile it was made with. To allow that a person changes it: agents config set plans.profile-changes on`,
      { ...facts, setting: 'plans.profile-changes' },
    )
  if (reason.trim() === '')
    return refuse('invalid_input', 'Say why: the reason is kept with the plan.', facts)
  if (plan.parentPlanId !== null) {
    const root = planOf(ports, plan.rootPlanId).name
    const message = `Plan ${name} has the profile of the plan that started it. Set it on ${root}; children made from then on have it.`
    return refuse('invalid_state', message, facts)
  }
  if (isFinal(position))
    return refuse(
      'invalid_state',
      `Plan ${name} is ${positionWords(position)}; nothing of it runs again.`,
      facts,
    )
  const moving = [plan, ...ports.store.plans.listDescendants(planId)].find(isMoving)
  if (!moving) return null
  return refuse(
    'invalid_state',
    `Plan ${moving.name} is ${positionWords(moving.position)}. Pause ${name} first: agents plan pause ${name}`,
    { ...facts, position: moving.position },
  )
}

/** Something of it runs, or is about to. A child that waits for its turn begins only when its parent goes on. */
function isMoving({ position, parentPlanId }: Plan): boolean {
  if (position === 'apply/complete' || (parentPlanId !== null && position === 'action/queued')) return false
  return ['running', 'queued', 'complete'].includes(stateOf(position))
}

function change(ports: Ports, before: Plan, after: Plan, { reason, by }: SetPlanProfile): Plan {
  const changed: Plan = { ...after, updatedAt: ports.clock.now() }
  recordDirectly(ports, changed, {
    type: 'user_intervention',
    phase: ['action', 'strategize'].includes(phaseOf(after.position)) ? 'strategize' : 'execute',
    question: `Which profile instead of ${before.profile.name}?`,
    chosenOption: { id: 'profile', label: after.profile.name, rationale: reason },
    rationale: `${reason} (${by})`,
    parentDecisionId: rootOf(ports, changed),
    decidedBy: 'human',
  })
  savePlan(ports, changed)
  ports.store.events.append(changed.planId, changed.rootPlanId, {
    type: 'PROFILE_CHANGED',
    from: before.profile,
    to: changed.profile,
    reason,
    by,
  })
  return changed
}
