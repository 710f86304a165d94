import type { DecideStep, Recipe, RecipeStep } from './recipe-format.ts'
import { decisionOfSpawn } from './recipe-spawn.ts'

/** All steps of a list in the order they are written, those of inner lists after the step that holds them. */
export function* everyStep(steps: readonly RecipeStep[]): Generator<RecipeStep> {
  for (const step of steps) {
    yield step
    if (step.kind === 'when') {
      yield* everyStep(step.then)
      yield* everyStep(step.else)
    } else if (step.kind === 'for_each') yield* everyStep(step.steps)
    else if (step.kind === 'validate') yield* everyStep(step.fix)
  }
}

/** Those of spawn steps included. */
export function decisionsIn(steps: readonly RecipeStep[]): DecideStep[] {
  return [...everyStep(steps)].flatMap(step => {
    if (step.kind === 'spawn') return [decisionOfSpawn(step)]
    return step.kind === 'decide' ? [step] : []
  })
}

export function hasValidation(steps: readonly RecipeStep[]): boolean {
  return [...everyStep(steps)].some(step => step.kind === 'validate')
}

export function allSteps(recipe: Recipe): readonly RecipeStep[] {
  return [...recipe.strategize, ...recipe.execute, ...recipe.fix]
}

/** Each once, in the order of the recipe, as it names them. */
export function childActions(recipe: Recipe): string[] {
  const steps = [...everyStep(allSteps(recipe))]
  return [
    ...new Set(
      steps.flatMap(step => (step.kind === 'spawn' ? step.children : []).map(({ action }) => action)),
    ),
  ]
}
