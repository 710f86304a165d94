import type { ActionArgument } from '../action.ts'
import type { Brief } from './actor.ts'
import type { ExpressionEvaluator, Scope } from './expression.ts'
import type { Recipe, Template } from './recipe-format.ts'
import { own, type RecipeState } from './recipe-state.ts'
import { asText, expressionsIn, renderTemplate } from './template.ts'

export interface RecipeProgram {
  readonly recipe: Recipe
  readonly arguments: readonly ActionArgument[]
  readonly expressions: ExpressionEvaluator
}

/** One visit of one step: what is run, what is known, who asks. */
export interface Visit {
  readonly program: RecipeProgram
  readonly state: RecipeState
  readonly brief: Brief
}

/** Fills in templates for one request, noting the names they read and the first thing that went wrong. */
export interface Reading {
  readonly reads: ReadonlySet<string>
  readonly problem: string | null
  value(template: Template): unknown
  text(template: Template): string
}

export function openReading({ program, state, brief }: Visit): Reading {
  const scope = scopeOf(state, brief)
  const reads = new Set<string>()
  let problem: string | null = null
  const value = (template: Template): unknown => {
    for (const name of readsOf(template, program.expressions)) reads.add(name)
    const rendered = renderTemplate(template, scope, program.expressions)
    if (rendered.ok) return rendered.value
    problem ??= rendered.message
    return null
  }
  return {
    reads,
    get problem() {
      return problem
    },
    value,
    text: template => asText(value(template)),
  }
}

/** Everything an expression can name. The innermost loop's variable hides others of its name. */
function scopeOf(state: RecipeState, brief: Brief): Scope {
  const scope: Record<string, unknown> = { ...state.results }
  for (const { loop } of state.frames) if (loop) scope[loop.name] = loop.items[loop.at]
  return {
    ...scope,
    args: state.args,
    vars: variables(state),
    guidance: state.guidance.newest,
    project: brief.project,
    plan: { plan_id: brief.plan.planId, name: brief.plan.name, attempt: brief.plan.attempt },
  }
}

/** What options set, and over it what people named. */
function variables(state: RecipeState): Readonly<Record<string, unknown>> {
  return { ...state.vars, ...state.pinned }
}

export function variable(state: RecipeState, name: string): unknown {
  return own(variables(state), name)
}

/** Nothing for an expression that does not parse: rendering it names the fault. */
export function readsOf(template: Template, expressions: ExpressionEvaluator): string[] {
  return expressionsIn(template).flatMap(expression => {
    const inspection = expressions.inspect(expression)
    return inspection.ok ? inspection.reads : []
  })
}
