import { ok, type Result, refuse } from '../../domain/failure.ts'
import { asId } from '../../domain/ids.ts'
import type { ActiveInvariant, Invariant, InvariantScope } from '../../domain/invariant/invariant.ts'
import { reconcile } from '../../domain/invariant/reconcile.ts'
import { readRule, type WrittenRule } from '../../domain/invariant/rule.ts'
import type { Ports } from '../ports.ts'
import { findAction } from '../project/find-action.ts'
import { findProject } from '../project/find-project.ts'
import { findById, findPlan } from '../references.ts'
import { candidatesFor, candidatesIn } from './candidates.ts'

/** Where invariants hold, as a person names it. Exactly one kind of place is named. */
export interface InvariantPlaces {
  readonly global: boolean
  readonly project: string | null
  readonly plans: readonly string[]
  readonly actions: readonly string[]
}

export interface NewInvariant extends InvariantPlaces {
  readonly text: string
  readonly rule: WrittenRule
  readonly nonOverridable: boolean
  readonly by: string
}

/** One record for each plan or action that is named. A plan that runs takes it up when its next phase begins. */
export async function addInvariants(ports: Ports, input: NewInvariant): Promise<Result<StatedEntry[]>> {
  const text = input.text.trim()
  if (text === '') return refuse('invalid_input', 'Say what must stay true.')
  const rule = readRule(input.rule)
  if (!rule.ok) return rule
  const scopes = await scopesFor(ports, input)
  if (!scopes.ok) return scopes
  if (input.nonOverridable && !input.global)
    return refuse('invalid_input', 'Only an invariant for all plans (--global) can be non-overridable.')
  return ports.store.transaction(() => {
    const stated = scopes.value.map(
      (scope): Invariant => ({
        invariantId: asId(ports.newId()),
        text,
        rule: rule.value,
        scope,
        nonOverridable: input.nonOverridable,
        statedBy: input.by,
        createdAt: ports.clock.now(),
      }),
    )
    for (const invariant of stated) ports.store.invariants.insert(invariant)
    return ok(stated.map(invariant => entryFor(ports, invariant)))
  })
}

/** No place named: no scopes. More than one kind is refused: precedence would not say which is meant. */
async function scopesFor(ports: Ports, places: InvariantPlaces): Promise<Result<InvariantScope[]>> {
  const { global, project, plans, actions } = places
  const kinds = [global, project !== null, plans.length > 0, actions.length > 0].filter(Boolean).length
  if (kinds !== 1)
    return refuse(
      'invalid_input',
      'Say where it holds: --global, --project PROJECT, --plan PLAN or --action ACTION, one kind of them.',
    )
  if (global) return ok([{ kind: 'global' }])
  if (project !== null) {
    const found = await findProject(ports, project)
    return found.ok ? ok([{ kind: 'project', project: found.value.name }]) : found
  }
  const scopes: InvariantScope[] = []
  for (const reference of plans) {
    const plan = findPlan(ports, reference)
    if (!plan.ok) return plan
    scopes.push({ kind: 'plan', planId: plan.value.planId, fromAction: null })
  }
  for (const name of actions) {
    const action = findAction(ports, name)
    if (!action.ok) return action
    scopes.push({ kind: 'action', action: action.value.action.name })
  }
  return ok(scopes)
}

export interface StatedEntry {
  readonly invariant: Invariant
  /** The name of its plan, where it is about one. */
  readonly planName: string | null
}

/** Those of one place as they were stated, or all of them where none is named. */
export async function listInvariants(ports: Ports, places: InvariantPlaces): Promise<Result<StatedEntry[]>> {
  const isNarrowed =
    places.global || places.project !== null || places.plans.length + places.actions.length > 0
  const scopes = isNarrowed ? await scopesFor(ports, places) : ok<InvariantScope[] | null>(null)
  if (!scopes.ok) return scopes
  const { invariants } = ports.store
  const found = scopes.value?.flatMap(scope => invariants.listFor(scope.kind, subjectOf(scope)))
  return ok((found ?? invariants.list()).map(invariant => entryFor(ports, invariant)))
}

function entryFor(ports: Ports, invariant: Invariant): StatedEntry {
  const { scope } = invariant
  const plan = scope.kind === 'plan' ? ports.store.plans.find(scope.planId) : null
  return { invariant, planName: plan?.name ?? null }
}

function subjectOf(scope: InvariantScope): string | null {
  switch (scope.kind) {
    case 'global':
      return null
    case 'project':
      return scope.project
    case 'action':
      return scope.action
    case 'plan':
      return scope.planId
  }
}

/** What would hold for a plan at this moment, or for one made in a project that says nothing more. */
export async function effectiveInvariants(
  ports: Ports,
  about: { readonly planRef: string } | { readonly project: string },
): Promise<Result<readonly ActiveInvariant[]>> {
  if ('planRef' in about) {
    const plan = findPlan(ports, about.planRef)
    return plan.ok ? reconcile(candidatesFor(ports, plan.value)) : plan
  }
  const project = await findProject(ports, about.project)
  return project.ok ? reconcile(candidatesIn(ports, project.value.name)) : project
}

export function removeInvariant(ports: Ports, reference: string): Result<StatedEntry> {
  const { invariants } = ports.store
  const found = findById('invariant', reference, invariants.match(reference), id => invariants.find(id))
  if (!found.ok) return found
  const entry = entryFor(ports, found.value)
  invariants.remove(found.value.invariantId)
  return ok(entry)
}
