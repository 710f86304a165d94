import type { Recipe } from './actor/recipe-format.ts'
import type { Limits } from './guardrails/limits.ts'
import type { StatedInvariant } from './invariant/invariant.ts'
import type { Guards, SafetyProfile } from './profile/profile.ts'

/** A reusable plan template, read from one YAML file. */
export interface Action {
  readonly name: string
  readonly description: string
  readonly longDescription: string | null
  readonly definitionOfDone: string
  readonly strategyActor: string
  readonly executionActor: string
  readonly arguments: readonly ActionArgument[]
  readonly invariants: readonly StatedInvariant[]
  readonly automationProfile: string | null
  readonly safetyProfile: Partial<SafetyProfile> | null
  /** Rules over tools that hold for every plan of it, besides its profile's. */
  readonly guards: Guards | null
  /** Limits that hold for every plan of it, besides those that are set elsewhere. */
  readonly guardrails: Partial<Limits> | null
  readonly reusable: boolean
  readonly readOnly: boolean
  /** How often its actor may try to fix one failing check before the strategy is revised, or a person asked. */
  readonly maxFixAttempts: number
  readonly state: 'available' | 'archived'
  readonly recipe: Recipe | null
}

/** Requirements BUD-06. */
export const DEFAULT_FIX_ATTEMPTS = 3

export const argumentTypes = ['string', 'integer', 'number', 'boolean', 'list', 'path', 'enum'] as const
export type ArgumentType = (typeof argumentTypes)[number]

export type ArgumentValue = string | number | boolean | readonly string[]

export interface ActionArgument {
  readonly name: string
  readonly type: ArgumentType
  readonly required: boolean
  readonly default: ArgumentValue | null
  readonly description: string
  /** For enum. */
  readonly values: readonly string[]
}
