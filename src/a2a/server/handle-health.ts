import { ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { healthView } from './to-view/registry.ts'

export const check: Handler<'_cleveragents/health/check'> = (_params, { backend }) =>
  ok(healthView(backend.health()))

export const diagnose: Handler<'_cleveragents/diagnostics/run'> = async ({ folder }, { backend }) =>
  ok(healthView(await backend.diagnostics(folder ?? null)))
