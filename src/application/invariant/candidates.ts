import { asId } from '../../domain/ids.ts'
import type {
  Candidate,
  Invariant,
  InvariantSource,
  StatedInvariant,
} from '../../domain/invariant/invariant.ts'
import { reconcile } from '../../domain/invariant/reconcile.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Ports } from '../ports.ts'

/** Everything that is said about a plan: for itself and the plans above it, in its project, and for all plans. */
export function candidatesFor(ports: Ports, plan: Plan): Candidate[] {
  return [...ofFamily(ports, plan), ...candidatesIn(ports, plan.project.name)]
}

/** What is said in a project and for all plans, whatever a plan itself says. */
export function candidatesIn(ports: Ports, project: string): Candidate[] {
  const { invariants } = ports.store
  return [
    ...invariants
      .listFor('project', project)
      .map(each => candidate(each, { kind: 'project', name: project }, 0)),
    ...invariants.listFor('global', null).map(each => candidate(each, { kind: 'global' }, 0)),
  ]
}

/** What holds for a plan holds for those that it starts. */
function ofFamily(ports: Ports, plan: Plan): Candidate[] {
  const found: Candidate[] = []
  let above = 0
  for (let at: Plan | null = plan; at; above++) {
    const name = above === 0 ? null : at.name
    for (const each of ports.store.invariants.listFor('plan', at.planId))
      found.push(candidate(each, sourceOf(each, name), above))
    at = at.parentPlanId && ports.store.plans.find(at.parentPlanId)
  }
  return found
}

function sourceOf({ scope }: Invariant, planName: string | null): InvariantSource {
  const fromAction = scope.kind === 'plan' ? scope.fromAction : null
  return fromAction === null ? { kind: 'plan', name: planName } : { kind: 'action', name: fromAction }
}

function candidate(invariant: Invariant, source: InvariantSource, above: number): Candidate {
  const { invariantId, text, rule, nonOverridable, createdAt } = invariant
  return { invariantId, text, rule, nonOverridable, createdAt, source, above }
}

/**
 * What a new plan is given: what was said for it, and what its action brings along, which is the plan's own from then
 * on. Call it inside a transaction, before the plan is saved.
 */
export function stateForPlan(ports: Ports, plan: Plan, said: readonly StatedInvariant[], by: string): void {
  const { planId, action } = plan
  const ofAction = [...action.invariants, ...ports.store.invariants.listFor('action', action.name)]
  const given = [
    ...ofAction.map(({ text, rule }) => ({ text, rule, fromAction: action.name })),
    ...said.map(({ text, rule }) => ({ text, rule, fromAction: null })),
  ]
  for (const { text, rule, fromAction } of given)
    ports.store.invariants.insert({
      invariantId: asId(ports.newId()),
      text,
      rule,
      scope: { kind: 'plan', planId, fromAction },
      nonOverridable: false,
      statedBy: by,
      createdAt: ports.clock.now(),
    })
}

/** The plan with the invariants that hold for it as far as rules tell; Strategize settles it. */
export function withInvariants(ports: Ports, plan: Plan): Plan {
  const held = reconcile(candidatesFor(ports, plan))
  return { ...plan, invariants: held.ok ? held.value : [] }
}
