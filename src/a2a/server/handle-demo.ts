import { ok } from '../../domain/failure.ts'
import type { Handler } from './call.ts'

export const create: Handler<'_cleveragents/demo/create'> = async (_params, { backend }) => {
  const { folder, actionName } = await backend.createDemo()
  return ok({ folder, action_name: actionName })
}
