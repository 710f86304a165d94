import { mapped } from '../../domain/failure.ts'
import type { Handler } from './call.ts'
import { auditView } from './to-view/audit.ts'

export const audit: Handler<'_cleveragents/plan/guard/audit'> = (params, { backend }) => {
  const { plan_id, type, result, limit } = params
  return mapped(backend.audit(plan_id, { eventType: type ?? null, result: result ?? null, limit }), auditView)
}
