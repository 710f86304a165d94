import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { projectView, resourceView } from './to-view/registry.ts'

export const add: Handler<'_cleveragents/resource/add'> = async (params, { backend }) =>
  mapped(await backend.addResource({ ...params, mode: params.mode ?? null }), resourceView)

export const list: Handler<'_cleveragents/resource/list'> = (_params, { backend }) =>
  ok({ resources: backend.resources().map(resourceView) })

export const show: Handler<'_cleveragents/resource/show'> = ({ name }, { backend }) =>
  mapped(backend.resource(name), resourceView)

export const remove: Handler<'_cleveragents/resource/remove'> = ({ name }, { backend }) =>
  mapped(backend.removeResource(name), resourceView)

export const link: Handler<'_cleveragents/project/link-resource'> = async (params, { backend }) =>
  mapped(await backend.setLink({ ...params, to: 'linked' }), projectView)

export const unlink: Handler<'_cleveragents/project/unlink-resource'> = async (params, { backend }) =>
  mapped(await backend.setLink({ ...params, to: 'unlinked' }), projectView)
