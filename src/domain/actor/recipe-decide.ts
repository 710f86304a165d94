import type { DecisionOption } from '../decision/decision.ts'
import { suggest } from '../nearest.ts'
import type { DecisionRequest } from './actor.ts'
import type { DecideStep, RecipeOption } from './recipe-format.ts'
import { matchOption } from './recipe-guidance.ts'
import { influenceClaims } from './recipe-influence.ts'
import { openReading, type Reading, type Visit } from './recipe-reading.ts'
import { decisionKey, NEXT_DECISION, own, type RecipeState, stepPath } from './recipe-state.ts'

export interface ProposedOption {
  readonly id: string
  readonly label: string
  readonly rationale: string | null
  readonly set: Readonly<Record<string, unknown>>
}

/** A decision as it would be asked for at the present position. */
export type Proposal =
  | {
      readonly kind: 'proposed'
      readonly options: readonly ProposedOption[]
      readonly request: DecisionRequest
    }
  | { readonly kind: 'exhausted'; readonly options: readonly ProposedOption[]; readonly constraint: string }
  | { readonly kind: 'failed'; readonly message: string }

export function proposeDecision(step: DecideStep, visit: Visit): Proposal {
  const { state } = visit
  const reading = openReading(visit)
  const key = decisionKey(state, step.id)
  const question = reading.text(step.question)
  const options = readOptions(step.options, reading)
  if (typeof options === 'string') return { kind: 'failed', message: options }
  if (options.length === 0)
    return { kind: 'failed', message: 'options is an empty list; there is nothing to choose.' }
  const rejected = own(state.rejected, key) ?? []
  const open = options.filter(option => !rejected.includes(option.id))
  if (open.length === 0) return exhausted(key, options)
  const choice = chooseOption(step, { state, key, options, rejected, open, reading })
  if ('message' in choice) return { kind: 'failed', message: choice.message }
  const confidence = readConfidence(step, reading)
  if (reading.problem !== null) return { kind: 'failed', message: reading.problem }
  if (typeof confidence === 'string') return { kind: 'failed', message: confidence }
  const request: DecisionRequest = {
    kind: 'record_decision',
    step: stepPath(state),
    key,
    type: step.type,
    question,
    options: options.map(withoutSet),
    chosen: choice.chosen,
    confidence,
    rationale: choice.rationale,
    dependsOn: [...new Set(step.dependsOn.flatMap(id => keysOf(state, id)))],
    influencedBy: influenceClaims(state, reading.reads, key),
    parentKey: parentKey(step, state),
    unclearGuidance: choice.unclear,
  }
  return { kind: 'proposed', options, request }
}

/**
 * The parent in the tree: the decision named by `under`; else the last one made in the nearest list around the
 * decision's own list that has one; else null, the root. Decisions of one list are thus siblings.
 */
function parentKey(step: DecideStep, state: RecipeState): string | null {
  const named = step.under === null ? undefined : keysOf(state, step.under).at(-1)
  if (named !== undefined) return named
  return state.frames.slice(0, -1).findLast(frame => frame.lastKey !== null)?.lastKey ?? null
}

/** The keys made under an id: the one of this round of the loop, or all rounds where the loop is over. */
function keysOf(state: RecipeState, id: string): readonly string[] {
  const made = own(state.made, id) ?? []
  const rounds = state.frames.flatMap(frame => (frame.loop ? [`[${frame.loop.at}]`] : []))
  for (let depth = rounds.length; depth >= 0; depth--) {
    const key = id + rounds.slice(0, depth).join('')
    if (made.includes(key)) return [key]
  }
  return made
}

interface Choosing {
  readonly state: RecipeState
  readonly key: string
  readonly options: readonly ProposedOption[]
  readonly rejected: readonly string[]
  readonly open: readonly ProposedOption[]
  readonly reading: Reading
}

type Choice =
  | { readonly chosen: string; readonly rationale: string; readonly unclear: string | null }
  | { readonly message: string }

/** What people said comes first, then the recipe's own choice, then the first option nobody rejected. */
function chooseOption(step: DecideStep, choosing: Choosing): Choice {
  const { state, key, options, rejected, open, reading } = choosing
  const { choices } = state
  const words = own(choices, key) ?? own(choices, step.id) ?? own(choices, NEXT_DECISION)
  const named = words === undefined ? undefined : matchOption(options, words)
  if (named && !rejected.includes(named.id))
    return { chosen: named.id, rationale: `a person asked for ${JSON.stringify(words)}`, unclear: null }
  const unclear = named ? null : (words ?? null)
  const chosen = step.choose === null ? (options[0]?.id ?? '') : reading.text(step.choose).trim()
  const rationale = reading.text(step.rationale)
  if (reading.problem !== null) return { message: reading.problem }
  if (open.some(option => option.id === chosen)) return { chosen, rationale, unclear }
  const next = open[0]
  if (next && rejected.includes(chosen))
    return { chosen: next.id, rationale: `${rejected.join(', ')} was rejected`, unclear }
  const ids = options.map(option => option.id)
  return {
    message: `choose gives ${JSON.stringify(chosen)}, which is no option of ${key}. ${suggest(chosen, ids)}`,
  }
}

function exhausted(key: string, options: readonly ProposedOption[]): Proposal {
  const ids = options.map(option => option.id).join(', ')
  return { kind: 'exhausted', options, constraint: `Every option of ${key} was rejected: ${ids}.` }
}

function readConfidence(step: DecideStep, reading: Reading): number | null | string {
  const value = reading.value(step.confidence)
  if (value === null) return null
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  return `confidence must be a number from 0 to 1, not ${JSON.stringify(value)}.`
}

/** The options with their texts filled in, or a sentence about what is wrong with them. */
export function readOptions(
  written: string | readonly RecipeOption[],
  reading: Reading,
): ProposedOption[] | string {
  const options =
    typeof written === 'string'
      ? optionsFromValue(reading.value(written.trim()))
      : written.map(option => renderOption(option, reading))
  if (reading.problem !== null) return reading.problem
  if (typeof options === 'string') return options
  const twice = options.find((option, index) => options.findIndex(other => other.id === option.id) !== index)
  return twice ? `options has two options with the id ${twice.id}.` : options
}

function renderOption(option: RecipeOption, reading: Reading): ProposedOption {
  const rationale = option.rationale === null ? null : reading.text(option.rationale)
  const set = Object.entries(option.set).map(([name, value]) => [name, reading.value(value)])
  return { id: option.id, label: reading.text(option.label), rationale, set: Object.fromEntries(set) }
}

function optionsFromValue(value: unknown): ProposedOption[] | string {
  if (!Array.isArray(value)) return `options must be a list of options, not ${JSON.stringify(value)}.`
  const options = value.map(optionFromValue)
  const wrong = options.indexOf(null)
  if (wrong < 0) return options.filter(option => option !== null)
  return `option ${wrong} must have an id and a label that are texts, and set must be a map: ${JSON.stringify(value[wrong])}.`
}

function optionFromValue(value: unknown): ProposedOption | null {
  if (!isMap(value)) return null
  const { id, label, rationale = null, set = {} } = value
  if (typeof id !== 'string' || typeof label !== 'string' || !isMap(set)) return null
  return { id, label, rationale: typeof rationale === 'string' ? rationale : null, set }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function withoutSet({ id, label, rationale }: ProposedOption): DecisionOption {
  return { id, label, rationale }
}
