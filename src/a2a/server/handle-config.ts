import { mapped, ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { settingView } from './to-view/registry.ts'

export const get: Handler<'_cleveragents/config/get'> = ({ key, project }, { backend }) =>
  mapped(backend.setting(key, project ?? null), settingView)

export const set: Handler<'_cleveragents/config/set'> = ({ key, value, project }, { backend }) =>
  mapped(backend.changeSetting(key, value, project ?? null), settingView)

export const list: Handler<'_cleveragents/config/list'> = ({ project }, { backend }) =>
  ok({ settings: backend.settings(project ?? null).map(settingView) })
