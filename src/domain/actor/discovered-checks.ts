import type { ExpressionEvaluator } from './expression.ts'
import type { RecipeStep, Template } from './recipe-format.ts'
import { readsOf } from './recipe-reading.ts'

/**
 * Marks the validations whose command is plainly the project's own, so that a folder's trust can be asked for before
 * anything runs. A command that takes a longer way, through a variable, is found when it is asked for.
 */
export function markDiscovered(
  steps: readonly RecipeStep[],
  expressions: ExpressionEvaluator,
  fromProject: ReadonlySet<string> = new Set(['project']),
): RecipeStep[] {
  const comesFromProject = (template: Template) =>
    readsOf(template, expressions).some(name => fromProject.has(name.split('.')[0] ?? ''))
  const mark = (inner: readonly RecipeStep[], names = fromProject) =>
    markDiscovered(inner, expressions, names)
  return steps.map(step => {
    if (step.kind === 'validate') {
      const discovered = comesFromProject(step.command)
      const seen = discovered ? new Set([...fromProject, 'validation']) : fromProject
      return { ...step, discovered, fix: mark(step.fix, seen) }
    }
    // biome-ignore lint/suspicious/noThenProperty: the recipe format has this key
    if (step.kind === 'when') return { ...step, then: mark(step.then), else: mark(step.else) }
    if (step.kind !== 'for_each') return step
    const names = new Set(fromProject)
    if (comesFromProject(step.over)) names.add(step.as)
    else names.delete(step.as)
    return { ...step, steps: mark(step.steps, names) }
  })
}
