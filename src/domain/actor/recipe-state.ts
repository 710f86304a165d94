/**
 * What a running recipe knows, as plain JSON. The position names the step that is asked for next or was asked for
 * last; a request is always made anew from it, so a stored state continues exactly where it was stored.
 * Begin with `RecipeState`; what moves it is in recipe.ts.
 */
import * as z from 'zod'
import { type FailureCode, failureCodes } from '../failure.ts'
import type { ActorState } from './actor.ts'
import type { Recipe, RecipeStep } from './recipe-format.ts'

/** Where a value comes from: the decisions it goes back to, and whether the project's own files had a say. */
const sourceSchema = z.object({ decisions: z.array(z.string()), project: z.boolean() })

const frameSchema = z.object({
  /** fix: the steps of a failed check; repair: those of the recipe for checks without any. */
  branch: z.enum(['root', 'then', 'else', 'steps', 'fix', 'repair']),
  index: z.number().int().nonnegative(),
  /** Key of the last decision made in this list, in the present iteration. */
  lastKey: z.string().nullable(),
  /** Why this list runs at all: decisions behind its condition or its loop. */
  because: z.array(z.object({ key: z.string(), why: z.string() })),
  loop: z
    .object({
      name: z.string(),
      items: z.array(z.unknown()),
      at: z.number().int().nonnegative(),
      source: sourceSchema,
    })
    .nullable(),
})

const recipeStateSchema = z.object({
  kind: z.literal('recipe'),
  phase: z.enum(['strategize', 'execute']),
  /** The lists from the phase's own down to the one with the present step. */
  frames: z.array(frameSchema).min(1),
  args: z.record(z.string(), z.unknown()),
  vars: z.record(z.string(), z.unknown()),
  results: z.record(z.string(), z.unknown()),
  /** By read name: `vars.glob`, `args.find`, or a result's name. */
  sources: z.record(z.string(), sourceSchema),
  /** Variables that a person named. They outrank what options set. */
  pinned: z.record(z.string(), z.unknown()),
  /** Keys of the decisions made, by id; several where the id stands in a loop. */
  made: z.record(z.string(), z.array(z.string())),
  /** Option ids that were rejected, by decision key. */
  rejected: z.record(z.string(), z.array(z.string())),
  /** What people said about a decision, by key, id or `NEXT_DECISION`: an option, or words nobody could place. */
  choices: z.record(z.string(), z.string()),
  guidance: z.object({
    heard: z.array(z.string()),
    newest: z.string(),
    /** Key of the decision at which the newest was given. */
    key: z.string().nullable(),
  }),
  /** The present step is a spawn whose decision is made: its children are asked for. */
  spawning: z.boolean().default(false),
  /** The refusal that stopped the present step, until it is tried again. */
  stopped: z
    .object({
      code: z.custom<FailureCode>(code => typeof code === 'string' && Object.hasOwn(failureCodes, code)),
      message: z.string(),
      facts: z.record(z.string(), z.unknown()),
    })
    .nullable(),
})

/** For words that belong to whichever decision is made next. It is no id. */
export const NEXT_DECISION = ''

export type RecipeState = z.infer<typeof recipeStateSchema>
export type Frame = z.infer<typeof frameSchema>
export type Source = z.infer<typeof sourceSchema>

/** Throws on anything but a state that a recipe stored: that is a bug or a damaged store, not an answer. */
export function readRecipeState(state: ActorState): RecipeState {
  return recipeStateSchema.parse(state)
}

/** Null for a state that another kind of actor left. */
export function recipeStateOrNull(state: ActorState | null): RecipeState | null {
  const parsed = recipeStateSchema.safeParse(state)
  return parsed.success ? parsed.data : null
}

export function rootFrame(): Frame {
  return { branch: 'root', index: 0, lastKey: null, because: [], loop: null }
}

function topFrame(state: RecipeState): Frame {
  const frame = state.frames.at(-1)
  if (!frame) throw new Error('a recipe state has at least one frame')
  return frame
}

export function withTopFrame(state: RecipeState, change: Partial<Frame>): RecipeState {
  return { ...state, frames: [...state.frames.slice(0, -1), { ...topFrame(state), ...change }] }
}

export function enterList(state: RecipeState, frame: Omit<Frame, 'index' | 'lastKey'>): RecipeState {
  return { ...state, frames: [...state.frames, { ...frame, index: 0, lastKey: null }] }
}

/** To the next step of the same list. */
export function advance(state: RecipeState): RecipeState {
  return { ...withTopFrame(state, { index: topFrame(state).index + 1 }), spawning: false, stopped: null }
}

/** At the end of a list: to the loop's next round, else behind the step that holds the list. Null = the phase's end. */
export function leaveList(state: RecipeState): RecipeState | null {
  const { loop } = topFrame(state)
  if (loop && loop.at + 1 < loop.items.length)
    return withTopFrame(state, { index: 0, lastKey: null, loop: { ...loop, at: loop.at + 1 } })
  if (state.frames.length === 1) return null
  const outside = { ...state, frames: state.frames.slice(0, -1) }
  // After a fix its check runs again.
  return isFixing(state) ? outside : advance(outside)
}

function isFixing(state: RecipeState): boolean {
  return ['fix', 'repair'].includes(topFrame(state).branch)
}

/** The step at the position; undefined behind the end of a list. */
export function stepAt(recipe: Recipe, state: RecipeState): RecipeStep | undefined {
  let steps: readonly RecipeStep[] = recipe[state.phase]
  let step: RecipeStep | undefined
  for (const frame of state.frames) {
    steps = listOf(recipe, frame.branch, { steps, step })
    step = steps[frame.index]
  }
  return step
}

/** `execute[3].then[0]`; rounds of loops, from 0 and outermost first, come last: `execute[2].steps[0]#3`. */
export function stepPath(state: RecipeState): string {
  const path = state.frames.map(
    frame => `${frame.branch === 'root' ? state.phase : frame.branch}[${frame.index}]`,
  )
  const rounds = state.frames.flatMap(frame => (frame.loop ? [frame.loop.at] : []))
  return path.join('.') + (rounds.length > 0 ? `#${rounds.join('.')}` : '')
}

/** A decision's key at the position: its id, in loops with the round: `edit[3]`. */
export function decisionKey(state: RecipeState, id: string): string {
  return id + state.frames.map(frame => (frame.loop ? `[${frame.loop.at}]` : '')).join('')
}

/** A record's own member: names come from people and may be `constructor`. */
export function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function listOf(
  recipe: Recipe,
  branch: Frame['branch'],
  around: { readonly steps: readonly RecipeStep[]; readonly step: RecipeStep | undefined },
): readonly RecipeStep[] {
  if (branch === 'root') return around.steps
  return branch === 'repair' ? recipe.fix : branchOf(around.step, branch)
}

function branchOf(
  step: RecipeStep | undefined,
  branch: 'then' | 'else' | 'steps' | 'fix',
): readonly RecipeStep[] {
  if (step?.kind === 'validate' && branch === 'fix') return step.fix
  if (step?.kind === 'when' && (branch === 'then' || branch === 'else')) return step[branch]
  if (step?.kind === 'for_each' && branch === 'steps') return step.steps
  throw new Error(`the recipe has no list ${branch} at the stored position; its action was changed`)
}
