/** The parsed form of `recipe:` in an action file. Strings that hold `${{ }}` expressions stay as they were written. */
import type { DecisionType } from '../decision/decision.ts'
import type { MergeRule } from './actor.ts'

/** A YAML value in which strings may contain expressions. */
export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [key: string]: Template }

export interface Recipe {
  readonly strategize: readonly RecipeStep[]
  readonly execute: readonly RecipeStep[]
  /** Done about a failed required check that has no steps of its own for it, attached validations included. */
  readonly fix: readonly RecipeStep[]
}

export type RecipeStep =
  | DecideStep
  | {
      readonly kind: 'tool'
      readonly name: string
      readonly with: { readonly [key: string]: Template }
      readonly as: string | null
      /** US dollars that one call costs; null: nothing. Recipes of before it was known have none. */
      readonly costUsd?: Template
    }
  | {
      readonly kind: 'when'
      readonly if: Template
      readonly then: readonly RecipeStep[]
      readonly else: readonly RecipeStep[]
    }
  | {
      readonly kind: 'for_each'
      readonly over: Template
      readonly as: string
      readonly steps: readonly RecipeStep[]
    }
  | { readonly kind: 'assert'; readonly that: Template; readonly message: Template }
  | {
      readonly kind: 'validate'
      readonly command: Template
      readonly mode: 'required' | 'informational'
      readonly network: boolean
      /** Set when the command comes from `project.checks`, i.e. was discovered and needs folder trust. */
      readonly discovered: boolean
      /** Done when it fails and is required, before it runs again. */
      readonly fix: readonly RecipeStep[]
    }
  | {
      readonly kind: 'ask'
      readonly question: Template
      readonly options: string | readonly RecipeOption[]
      readonly as: string | null
    }
  | { readonly kind: 'finish'; readonly note: Template | null }
  | SpawnStep

export interface DecideStep {
  readonly kind: 'decide'
  readonly id: string
  readonly type: DecisionType
  readonly question: Template
  /** A list, or one expression that yields the list. */
  readonly options: string | readonly RecipeOption[]
  readonly choose: Template
  readonly confidence: Template
  readonly rationale: Template
  readonly dependsOn: readonly string[]
  readonly under: string | null
}

export interface RecipeOption {
  readonly id: string
  readonly label: Template
  readonly rationale: Template
  readonly set: { readonly [key: string]: Template }
}

/** Starts child plans and waits for them. It is a decision first, like `decide`, and then the start of what was decided. */
export interface SpawnStep {
  readonly kind: 'spawn'
  /** Of its decision: the name of its result, else where it stands, e.g. `execute-3-then-0`. */
  readonly id: string
  /** one: a single child, whose result stands alone; the others yield the list of results. */
  readonly form: 'one' | 'sequential' | 'parallel'
  /** In the order in which their work is merged. */
  readonly children: readonly RecipeChild[]
  readonly maxParallel: number
  readonly merge: MergeRule
  /** Null: a sentence of ours. */
  readonly question: Template
  readonly confidence: Template
  readonly rationale: Template
  readonly dependsOn: readonly string[]
  readonly under: string | null
  readonly as: string | null
}

export interface RecipeChild {
  /** Unique among its siblings: its own name, else that of its action. */
  readonly key: string
  readonly action: string
  readonly args: { readonly [key: string]: Template }
  readonly guidance: Template
  /** Keys of siblings whose work it begins with. */
  readonly after: readonly string[]
  readonly as: string | null
}

export const MAX_PARALLEL = 50

/** What the steps of a fix read of the check that failed: `validation.output`. */
export const FAILED_CHECK = 'validation'
