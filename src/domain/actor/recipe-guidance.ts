import { typedValue } from '../arguments.ts'
import type { DecideStep } from './recipe-format.ts'
import { type RecipeProgram, variable } from './recipe-reading.ts'
import { own, type RecipeState } from './recipe-state.ts'
import { allSteps, decisionsIn } from './recipe-walk.ts'

interface Labelled {
  readonly id: string
  readonly label: string
}

/** The option that a person's words name: by id first, then by label; case and outer spaces do not matter. */
export function matchOption<Option extends Labelled>(
  options: readonly Option[],
  words: string,
): Option | undefined {
  const plain = (text: string) => text.trim().toLowerCase()
  return (
    options.find(option => option.id === words.trim()) ??
    options.find(option => plain(option.id) === plain(words)) ??
    options.find(option => plain(option.label) === plain(words))
  )
}

/** Notes what a person said, at a decision (its key) or between decisions (null). */
export function hearGuidance(state: RecipeState, guidance: string, key: string | null): RecipeState {
  return { ...state, guidance: { heard: [...state.guidance.heard, guidance], newest: guidance, key } }
}

/**
 * Applies `name=value` pairs: a name is a decision's id or key, an argument or a variable. Null when the words are no
 * such pairs or one of them names nothing known; then nothing is applied.
 */
export function applyPairs(
  program: RecipeProgram,
  state: RecipeState,
  guidance: string,
  at: { readonly key: string | null; readonly variables: readonly string[] },
): RecipeState | null {
  const pairs = readPairs(guidance)
  if (!pairs) return null
  let next: RecipeState | null = state
  for (const { name, text } of pairs) {
    if (!next) return null
    next = choose(program, next, name, text) ?? set(program, next, name, text, at)
  }
  return next
}

/** `a=1 b="two words", c=3`: a value reaches to the next pair; quotes keep one together. */
export function readPairs(text: string): { name: string; text: string }[] | null {
  const starts = [
    ...withoutQuoted(text).matchAll(/(?:^|[\s,;])\s*([A-Za-z][\w-]*(?:\.[A-Za-z]\w*)?(?:\[\d+\])*)=/g),
  ]
  if (starts.length === 0 || text.slice(0, starts[0]?.index).trim() !== '') return null
  return starts.map((start, index) => {
    const raw = text.slice(start.index + start[0].length, starts[index + 1]?.index)
    return { name: start[1] ?? '', text: unquoted(raw.trim().replace(/[,;]$/, '')) }
  })
}

/** For `decision=option`; a decision whose options are known must have that one, unless nothing else has the name. */
function choose(program: RecipeProgram, state: RecipeState, name: string, text: string): RecipeState | null {
  const decision = decisionsIn(allSteps(program.recipe)).find(step => step.id === name.replace(/\[.*$/, ''))
  if (!decision) return null
  const otherMeaning = isArgument(program, name) || settable(program, state, []).includes(name)
  if (otherMeaning && !canHaveOption(decision, text)) return null
  return { ...state, choices: { ...state.choices, [name]: text } }
}

function canHaveOption(decision: DecideStep, text: string): boolean {
  if (typeof decision.options === 'string') return true
  const labelled = decision.options.map(({ id, label }) => ({ id, label: String(label) }))
  return matchOption(labelled, text) !== undefined
}

function set(
  program: RecipeProgram,
  state: RecipeState,
  name: string,
  text: string,
  at: { readonly key: string | null; readonly variables: readonly string[] },
): RecipeState | null {
  const [, scope, plain = ''] = /^(?:(args|vars)\.)?(.*)$/.exec(name) ?? []
  if (scope !== 'vars' && isArgument(program, plain)) return setArgument(program, state, plain, text, at.key)
  if (scope === 'args' || !settable(program, state, at.variables).includes(plain)) return null
  const pinned = { ...state.pinned, [plain]: likeBefore(variable(state, plain), text) }
  return { ...state, pinned, sources: creditTo(state, `vars.${plain}`, at.key) }
}

function setArgument(
  program: RecipeProgram,
  state: RecipeState,
  name: string,
  text: string,
  key: string | null,
): RecipeState | null {
  const definition = program.arguments.find(argument => argument.name === name)
  const value = definition && typedValue(definition, text)
  if (!value?.ok) return null
  return {
    ...state,
    args: { ...state.args, [name]: value.value },
    sources: creditTo(state, `args.${name}`, key),
  }
}

/** Whoever reads the value from now on also depends on the decision at which a person named it. */
function creditTo(state: RecipeState, name: string, key: string | null): RecipeState['sources'] {
  const before = own(state.sources, name) ?? { decisions: [], project: false }
  const decisions = key === null ? before.decisions : [...new Set([...before.decisions, key])]
  return { ...state.sources, [name]: { ...before, decisions } }
}

function isArgument(program: RecipeProgram, name: string): boolean {
  return program.arguments.some(argument => argument.name === name)
}

/** Variables that exist, or that some option would set. */
function settable(program: RecipeProgram, state: RecipeState, more: readonly string[]): string[] {
  const written = decisionsIn(allSteps(program.recipe)).flatMap(step =>
    typeof step.options === 'string' ? [] : step.options.flatMap(option => Object.keys(option.set)),
  )
  return [...written, ...Object.keys(state.vars), ...more]
}

/** Text takes the type that the variable had, where it can. */
function likeBefore(before: unknown, text: string): unknown {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (Array.isArray(before)) return text.split(',').map(item => item.trim())
  return text
}

/** Quoted stretches blanked out, so that what looks like a pair inside them is not taken for one. */
function withoutQuoted(text: string): string {
  return text.replace(/=("[^"]*"|'[^']*')/g, quoted => `=${'.'.repeat(quoted.length - 1)}`)
}

function unquoted(text: string): string {
  return /^(["'])[\s\S]*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text
}
