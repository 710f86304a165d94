import type { DecideStep, Recipe, RecipeStep } from './recipe-format.ts'

/** All steps of a list in the order they are written, those of inner lists after the step that holds them. */
export function* everyStep(steps: readonly RecipeStep[]): Generator<RecipeStep> {
  for (const step of steps) {
    yield step
    if (step.kind === 'when') {
      yield* everyStep(step.then)
      yield* everyStep(step.else)
    } else if (step.kind === 'for_each') yield* everyStep(step.steps)
  }
}

export function decisionsIn(steps: readonly RecipeStep[]): DecideStep[] {
  return [...everyStep(steps)].filter(step => step.kind === 'decide')
}

export function allSteps(recipe: Recipe): readonly RecipeStep[] {
  return [...recipe.strategize, ...recipe.execute]
}
