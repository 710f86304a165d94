import type { Brief } from './actor.ts'
import { applyPairs, hearGuidance, matchOption } from './recipe-guidance.ts'
import type { RecipeProgram } from './recipe-reading.ts'
import { NEXT_DECISION, type RecipeState, recipeStateOrNull, rootFrame } from './recipe-state.ts'
import { decisionsIn } from './recipe-walk.ts'

/** Execute goes on with what Strategize learnt: arguments, variables, results and what people said. */
export function startRecipe(program: RecipeProgram, brief: Brief): RecipeState {
  return hearBrief(program, beforePhase(brief), brief)
}

/** What people said since, between decisions: it reaches a running plan with its brief. */
export function hearBrief(program: RecipeProgram, state: RecipeState, brief: Brief): RecipeState {
  return guidanceSince(state, brief).reduce((heard, words) => hearBetween(program, heard, words), state)
}

/**
 * The same phase once more, under guidance given when it had ended. What people said and chose stays; what the steps
 * set is set anew before anything reads it.
 */
export function restartPhase(program: RecipeProgram, ended: RecipeState, guidance: string): RecipeState {
  const again = new Set(decisionsIn(program.recipe[ended.phase]).map(({ id }) => id))
  const made = Object.fromEntries(Object.entries(ended.made).filter(([id]) => !again.has(id)))
  return hearBetween(
    program,
    { ...ended, made, frames: [rootFrame()], spawning: false, stopped: null },
    guidance,
  )
}

/** Pairs are kept until their decision is made; an option's name goes to its decision; other words to the next one. */
function hearBetween(program: RecipeProgram, state: RecipeState, words: string): RecipeState {
  const heard = hearGuidance(state, words, null)
  const paired = applyPairs(program, heard, words, { key: null, variables: [] })
  if (paired) return paired
  const named = decisionsIn(program.recipe[state.phase]).find(
    ({ id, options }) =>
      !Object.hasOwn(state.made, id) &&
      typeof options !== 'string' &&
      matchOption(
        options.map(({ id, label }) => ({ id, label: String(label) })),
        words,
      ),
  )
  return { ...heard, choices: { ...heard.choices, [named?.id ?? NEXT_DECISION]: words } }
}

function beforePhase(brief: Brief): RecipeState {
  const strategy = brief.phase === 'execute' ? recipeStateOrNull(brief.strategyState) : null
  if (strategy)
    return { ...strategy, phase: 'execute', frames: [rootFrame()], spawning: false, stopped: null }
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
    spawning: false,
    stopped: null,
  }
}

/** What has not been heard yet. The same words may have been said twice. */
function guidanceSince(base: RecipeState, brief: Brief): string[] {
  const heard = [...base.guidance.heard]
  return brief.guidance.filter(words => {
    const index = heard.indexOf(words)
    if (index >= 0) heard.splice(index, 1)
    return index < 0
  })
}
