import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { profileView } from './to-view/registry.ts'

export const list: Handler<'_cleveragents/automation-profile/list'> = (_params, { backend }) =>
  ok({ profiles: backend.profiles().map(profileView) })

export const show: Handler<'_cleveragents/automation-profile/show'> = ({ name }, { backend }) =>
  mapped(backend.profile(name), profileView)
