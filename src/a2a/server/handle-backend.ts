import type { Handler } from './call.ts'

export const keepRunning: Handler<'_cleveragents/backend/keep-running'> = (_params, { backend }) => ({
  ok: true,
  value: { running: backend.keepRunning() },
})
