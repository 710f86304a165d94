import { mapped, refuse } from '../../domain/failure.ts'
import type { CheckedParams } from '../protocol/methods.ts'
import type { Handler } from './call.ts'
import { activeInvariantView, invariantView } from './to-view/invariant.ts'

export const add: Handler<'_cleveragents/invariant/add'> = async (params, { backend, user }) =>
  mapped(
    await backend.addInvariants({
      ...placesOf(params),
      text: params.text,
      rule: { key: params.key, rule: params.rule, value: params.value },
      nonOverridable: params.non_overridable,
      by: user,
    }),
    added => ({ invariants: added.map(invariantView) }),
  )

export const list: Handler<'_cleveragents/invariant/list'> = async (params, { backend }) =>
  mapped(await backend.invariants(placesOf(params)), found => ({ invariants: found.map(invariantView) }))

export const effective: Handler<'_cleveragents/invariant/effective'> = async (params, { backend }) => {
  const { plan_id, project } = params
  if ((plan_id === undefined) === (project === undefined))
    return refuse('invalid_input', 'Name a plan or a project, one of them: what holds depends on it.')
  const found = await backend.effectiveInvariants(
    plan_id === undefined ? { project: project ?? '' } : { planRef: plan_id },
  )
  return mapped(found, active => ({ invariants: active.map(activeInvariantView) }))
}

export const remove: Handler<'_cleveragents/invariant/remove'> = ({ invariant_id }, { backend }) =>
  mapped(backend.removeInvariant(invariant_id), invariantView)

function placesOf({
  global,
  project,
  plans,
  actions,
}: Pick<CheckedParams<'_cleveragents/invariant/list'>, 'global' | 'project' | 'plans' | 'actions'>) {
  return { global, project: project ?? null, plans, actions }
}
