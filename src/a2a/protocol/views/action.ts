import * as z from 'zod'
import { nullableText } from './scalars.ts'

export const argumentView = z.object({
  name: z.string(),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'list', 'path', 'enum']),
  required: z.boolean(),
  default: z.unknown(),
  description: z.string(),
  values: z.array(z.string()),
})
export type ArgumentView = z.infer<typeof argumentView>

export const actionView = z.object({
  name: z.string(),
  description: z.string(),
  long_description: nullableText,
  definition_of_done: z.string(),
  strategy_actor: z.string(),
  execution_actor: z.string(),
  arguments: z.array(argumentView),
  invariants: z.array(z.string()),
  automation_profile: nullableText,
  read_only: z.boolean(),
  state: z.enum(['available', 'archived']),
  origin: z.enum(['built-in', 'registered']),
  /** The actions that its recipe runs as child plans, as it names them. */
  starts: z.array(z.string()),
  /** Null when it can be used now; otherwise why not and what to do. */
  unavailable: nullableText,
})
export type ActionView = z.infer<typeof actionView>

/** `notices`: what a person should know of it, though nothing is wrong with it. */
export const registeredActionView = actionView.extend({ notices: z.array(z.string()) })
