import type { Action } from './action.ts'
import { everyStep } from './actor/recipe-walk.ts'
import { ok, type Result, refuse } from './failure.ts'

/** Why an action cannot be used now, before a plan is made of it. */
export function refuseUnusable(action: Action): Result<void> {
  if (action.state === 'archived')
    return refuse('invalid_state', `${action.name} is archived; use another action.`, { action: action.name })
  const { strategize = [], execute = [] } = action.recipe ?? {}
  const spawns = [...everyStep([...strategize, ...execute])].some(step => step.kind === 'spawn')
  if (spawns)
    return refuse(
      'not_available',
      `${action.name} starts child plans (spawn), and child plans are not available yet.`,
      { action: action.name, step: 'spawn' },
    )
  return ok()
}
