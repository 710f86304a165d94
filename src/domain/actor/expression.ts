/**
 * The expression language of recipes, handed in: this folder knows no parser. An evaluator is pure, reaches nothing of
 * the host and ends within a bound.
 */
export interface ExpressionEvaluator {
  /** Parses without evaluating. */
  inspect(expression: string): Inspection
  evaluate(expression: string, scope: Scope): Evaluation
}

/** Plain JSON by name. */
export type Scope = Readonly<Record<string, unknown>>

export type Inspection =
  | {
      readonly ok: true
      /** Names it can read, with the first member where that is fixed: `vars.glob`, `hits.paths`, `guidance`. */
      readonly reads: readonly string[]
    }
  | {
      readonly ok: false
      readonly message: string
      /** Where in the expression, counted in characters from 0. */
      readonly offset: number
    }

export type Evaluation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }
