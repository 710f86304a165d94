import type { Brief } from './actor.ts'
import { applyPairs, hearGuidance, matchOption } from './recipe-guidance.ts'
import type { RecipeProgram } from './recipe-reading.ts'
import { type RecipeState, recipeStateOrNull, rootFrame } from './recipe-state.ts'
import { decisionsIn } from './recipe-walk.ts'

/** Execute goes on with what Strategize learnt: arguments, variables, results and what people said. */
export function startRecipe(program: RecipeProgram, brief: Brief): RecipeState {
  const base = beforePhase(brief)
  return guidanceSince(base, brief).reduce((state, words) => hearBeforePhase(program, state, words), base)
}

/** The same phase once more, under guidance given when it had ended. What people said and chose stays. */
export function restartPhase(
  program: RecipeProgram,
  ended: RecipeState,
  guidance: string,
  brief: Brief,
): RecipeState {
  const { args, pinned, choices, rejected } = ended
  const base = { ...beforePhase(brief), args, pinned, choices, rejected, guidance: ended.guidance }
  return hearBeforePhase(program, base, guidance)
}

/** Pairs are kept until their decision is made; an option's name goes to its decision; other words to the first one. */
function hearBeforePhase(program: RecipeProgram, state: RecipeState, words: string): RecipeState {
  const heard = hearGuidance(state, words, null)
  const paired = applyPairs(program, heard, words, { key: null, variables: [] })
  if (paired) return paired
  const decisions = decisionsIn(program.recipe[state.phase])
  const named = decisions.find(
    ({ options }) =>
      typeof options !== 'string' &&
      matchOption(
        options.map(({ id, label }) => ({ id, label: String(label) })),
        words,
      ),
  )
  const decision = named ?? decisions[0]
  return decision ? { ...heard, choices: { ...heard.choices, [decision.id]: words } } : heard
}

function beforePhase(brief: Brief): RecipeState {
  const strategy = brief.phase === 'execute' ? recipeStateOrNull(brief.strategyState) : null
  if (strategy) return { ...strategy, phase: 'execute', frames: [rootFrame()], stopped: null }
  return {
    kind: 'recipe',
    phase: brief.phase,
    frames: [rootFrame()],
    args: brief.args,
    vars: {},
    results: {},
    sources: {},
    pinned: {},
    made: {},
    rejected: {},
    choices: {},
    guidance: { heard: [], newest: '', key: null },
    stopped: null,
  }
}

/** What Strategize has not heard yet. The same words may have been said twice. */
function guidanceSince(base: RecipeState, brief: Brief): string[] {
  const heard = [...base.guidance.heard]
  return brief.guidance.filter(words => {
    const index = heard.indexOf(words)
    if (index >= 0) heard.splice(index, 1)
    return index < 0
  })
}
