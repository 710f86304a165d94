/**
 * Our own methods, one row each: params, result, streaming or not, older names. The dispatcher, the typed client,
 * docs/methods.md and the Agent Card's list are made from these rows; a row lies in the table of its noun.
 * Where a row takes an id, it takes a full id, an unambiguous prefix, the last six or more characters, a name, or `@latest`.
 */
import type * as z from 'zod'
import { actionMethods } from './methods/action.ts'
import { configMethods } from './methods/config.ts'
import { connectionMethods } from './methods/connection.ts'
import { decisionMethods } from './methods/decision.ts'
import { eventMethods } from './methods/event.ts'
import { gateMethods } from './methods/gate.ts'
import { guardMethods } from './methods/guard.ts'
import { invariantMethods } from './methods/invariant.ts'
import { modelMethods } from './methods/model.ts'
import { planMethods } from './methods/plan.ts'
import { profileMethods } from './methods/profile.ts'
import { projectMethods } from './methods/project.ts'
import { registryMethods } from './methods/registry.ts'
import type { MethodRow } from './methods/row.ts'
import { sessionMethods } from './methods/session.ts'
import { unavailableMethods } from './methods/unavailable.ts'
import { validationMethods } from './methods/validation.ts'

export type { MethodRow } from './methods/row.ts'

export const methods = {
  ...connectionMethods,
  ...planMethods,
  ...modelMethods,
  ...decisionMethods,
  ...gateMethods,
  ...profileMethods,
  ...guardMethods,
  ...eventMethods,
  ...actionMethods,
  ...projectMethods,
  ...registryMethods,
  ...validationMethods,
  ...invariantMethods,
  ...sessionMethods,
  ...configMethods,
  ...unavailableMethods,
} as const satisfies Record<string, MethodRow>

export type MethodName = keyof typeof methods
export type Params<Name extends MethodName> = z.input<(typeof methods)[Name]['params']>
export type CheckedParams<Name extends MethodName> = z.output<(typeof methods)[Name]['params']>
export type Output<Name extends MethodName> = z.output<(typeof methods)[Name]['result']>
