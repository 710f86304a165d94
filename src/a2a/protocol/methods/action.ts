/** Actions. */
import * as z from 'zod'
import { actionView, registeredActionView } from '../views/action.ts'
import { name, none, row } from './row.ts'

export const actionMethods = {
  '_cleveragents/action/list': row('Actions.', none, z.object({ actions: z.array(actionView) })),
  '_cleveragents/action/show': row('One action.', name, actionView),
  '_cleveragents/action/create': row(
    'Register an action from its YAML text.',
    z.object({ text: z.string(), file: z.string(), automation_profile: z.string().optional() }),
    registeredActionView,
  ),
  '_cleveragents/action/archive': row('Take an action out of use.', name, actionView),
} as const
