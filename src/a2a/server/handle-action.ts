import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { actionView, registeredActionView } from './to-view/registry.ts'

export const list: Handler<'_cleveragents/action/list'> = (_params, { backend }) =>
  ok({ actions: backend.actions().map(actionView) })

export const show: Handler<'_cleveragents/action/show'> = ({ name }, { backend }) =>
  mapped(backend.action(name), actionView)

export const create: Handler<'_cleveragents/action/create'> = (
  { text, file, automation_profile },
  { backend },
) => mapped(backend.createAction(text, file, automation_profile ?? null), registeredActionView)

export const archive: Handler<'_cleveragents/action/archive'> = ({ name }, { backend }) =>
  mapped(backend.archiveAction(name), actionView)
