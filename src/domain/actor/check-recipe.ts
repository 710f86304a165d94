/**
 * What a recipe must hold beyond its shape, found before anything runs: names that exist, expressions that parse,
 * decisions in order, no writing in Strategize. Begin with `checkRecipe`.
 */
import type { ActionArgument } from '../action.ts'
import type { DecisionType } from '../decision/decision.ts'
import { assertNever } from '../failure.ts'
import { suggest } from '../nearest.ts'
import type { ToolDeclaration } from '../tool.ts'
import { type KnownActions, spawnProblems } from './check-spawn.ts'
import { checkTemplate, type RecipeProblem } from './check-template.ts'
import type { ExpressionEvaluator } from './expression.ts'
import {
  type DecideStep,
  FAILED_CHECK,
  type Recipe,
  type RecipeOption,
  type RecipeStep,
  type SpawnStep,
  type Template,
} from './recipe-format.ts'
import { allSteps, decisionsIn } from './recipe-walk.ts'
import { templateParts } from './template.ts'

export interface RecipeSurroundings {
  readonly arguments: readonly ActionArgument[]
  readonly tools: readonly ToolDeclaration[]
  readonly expressions: ExpressionEvaluator
  /** A read-only action writes in no phase. */
  readonly readOnly: boolean
  readonly actions: KnownActions
}

export function checkRecipe(recipe: Recipe, surroundings: RecipeSurroundings): RecipeProblem[] {
  const check = openCheck(recipe, surroundings)
  checkSteps(check, recipe.strategize, { path: ['strategize'], phase: 'strategize', loops: [] })
  checkSteps(check, recipe.execute, { path: ['execute'], phase: 'execute', loops: [] })
  checkSteps(check, recipe.fix, { path: ['fix'], phase: 'execute', loops: [FAILED_CHECK] })
  return check.problems
}

interface Check extends RecipeSurroundings {
  readonly problems: RecipeProblem[]
  /** Ids of the decisions so far, and of all there are. */
  readonly made: string[]
  readonly ids: readonly string[]
  /** Names given by `as` so far. */
  readonly results: Set<string>
  /** Null where options are computed, so that any name may be set. */
  readonly variables: readonly string[] | null
}

interface Place {
  readonly path: readonly (string | number)[]
  readonly phase: 'strategize' | 'execute'
  readonly loops: readonly string[]
}

function openCheck(recipe: Recipe, surroundings: RecipeSurroundings): Check {
  const decisions = decisionsIn(allSteps(recipe))
  const written = decisions.flatMap(step => (typeof step.options === 'string' ? [] : step.options))
  const allWritten = decisions.every(step => typeof step.options !== 'string')
  const variables = allWritten ? written.flatMap(option => Object.keys(option.set)) : null
  const ids = decisions.map(step => step.id)
  return { ...surroundings, problems: [], made: [], ids, results: new Set(), variables }
}

function checkSteps(check: Check, steps: readonly RecipeStep[], place: Place): void {
  for (const [index, step] of steps.entries())
    checkStep(check, step, { ...place, path: [...place.path, index, step.kind] })
}

function checkStep(check: Check, step: RecipeStep, place: Place): void {
  switch (step.kind) {
    case 'decide':
      checkDecision(check, step, place)
      break
    case 'tool':
      checkTool(check, step.name, place)
      checkTexts(check, place, { with: step.with, cost_usd: step.costUsd ?? null })
      checkCost(check, step.costUsd, place)
      nameResult(check, step.as, place)
      break
    case 'when':
      checkTexts(check, place, { if: step.if })
      checkSteps(check, step.then, inside(place, 'then'))
      checkSteps(check, step.else, inside(place, 'else'))
      break
    case 'for_each':
      checkTexts(check, place, { over: step.over })
      checkName(check, step.as, place)
      checkSteps(check, step.steps, { ...inside(place, 'steps'), loops: [...place.loops, step.as] })
      break
    case 'assert':
      checkTexts(check, place, { that: step.that, message: step.message })
      break
    case 'validate':
      refuseInStrategize(check, place)
      checkTexts(check, place, { command: step.command })
      checkSteps(check, step.fix, { ...inside(place, 'fix'), loops: [...place.loops, FAILED_CHECK] })
      break
    case 'ask':
      checkTexts(check, place, { question: step.question, ...optionTexts(step.options) })
      nameResult(check, step.as, place)
      break
    case 'finish':
      checkTexts(check, place, { note: step.note })
      break
    case 'spawn':
      checkSpawn(check, step, place)
      break
    default:
      assertNever(step)
  }
}

function inside(place: Place, list: string): Place {
  return { ...place, path: [...place.path, list] }
}

function problem(check: Check, path: readonly (string | number)[], message: string): void {
  check.problems.push({ path, message })
}

function checkDecision(check: Check, step: DecideStep, place: Place): void {
  if (check.made.includes(step.id))
    problem(check, [...place.path, 'id'], `${step.id} is already the id of another decision.`)
  if (!typesOf[place.phase].includes(step.type))
    problem(
      check,
      [...place.path, 'type'],
      `${step.type} is no decision of ${place.phase}. Known: ${typesOf[place.phase].join(', ')}.`,
    )
  checkRelations(check, step, place)
  checkOptions(check, step, place)
  const { question, choose, confidence, rationale } = step
  checkTexts(check, place, { question, choose, confidence, rationale, ...optionTexts(step.options) })
  check.made.push(step.id)
}

/** Which decisions each phase takes; the other types are recorded by the system. */
const typesOf: Readonly<Record<'strategize' | 'execute', readonly DecisionType[]>> = {
  strategize: ['strategy_choice', 'resource_selection', 'subplan_spawn', 'subplan_parallel_spawn'],
  execute: [
    'implementation_choice',
    'resource_selection',
    'tool_invocation',
    'error_recovery',
    'validation_response',
    'subplan_spawn',
    'subplan_parallel_spawn',
  ],
}

/** To earlier decisions. */
function checkRelations(check: Check, { dependsOn, under }: DecideStep | SpawnStep, place: Place): void {
  for (const [index, id] of dependsOn.entries()) checkEarlier(check, id, [...place.path, 'depends_on', index])
  if (under !== null) checkEarlier(check, under, [...place.path, 'under'])
}

function checkEarlier(check: Check, id: string, path: readonly (string | number)[]): void {
  if (check.made.includes(id)) return
  const later = check.ids.includes(id) ? `The decision ${id} is not made before this one.` : null
  problem(check, path, later ?? `There is no decision ${id}. ${suggest(id, check.made)}`)
}

function checkOptions(check: Check, step: DecideStep, place: Place): void {
  if (typeof step.options === 'string') {
    if (!isWholeExpression(step.options))
      problem(
        check,
        [...place.path, 'options'],
        'must be a list of options, or one expression that yields it.',
      )
    return
  }
  const ids = step.options.map(option => option.id)
  if (ids.length === 0) problem(check, [...place.path, 'options'], 'must have at least one option.')
  for (const [index, id] of ids.entries())
    if (ids.indexOf(id) !== index)
      problem(check, [...place.path, 'options', index, 'id'], `${id} is already the id of another option.`)
  const chosen = step.choose
  const isLiteral = chosen !== null && templateParts(String(chosen)).parts.every(part => part.kind === 'text')
  if (isLiteral && !ids.includes(String(chosen).trim()))
    problem(
      check,
      [...place.path, 'choose'],
      `${chosen} is no option of ${step.id}. ${suggest(String(chosen), ids)}`,
    )
}

function isWholeExpression(text: string): boolean {
  const { parts } = templateParts(text.trim())
  return parts.length === 1 && parts[0]?.kind === 'expression'
}

/** The option texts by their keys below `options`. */
function optionTexts(options: string | readonly RecipeOption[]): { readonly options: Template } {
  if (typeof options === 'string') return { options }
  return { options: options.map(({ label, rationale, set }) => ({ label, rationale, set })) }
}

function checkTool(check: Check, name: string, place: Place): void {
  const path = [...place.path, 'name']
  const tool = check.tools.find(known => known.name === name)
  if (!tool) {
    const known = check.tools.map(({ name }) => name)
    problem(check, path, `There is no tool ${name}. ${suggest(name, known)}`)
    return
  }
  if (tool.capability.readOnly) return
  if (place.phase === 'strategize')
    problem(check, path, `${name} can write, and Strategize only reads. Use it under execute.`)
  else if (check.readOnly) problem(check, path, `${name} can write, and this action is read_only.`)
}

function checkCost(check: Check, cost: Template | undefined, place: Place): void {
  if (typeof cost === 'string' && !isWholeExpression(cost))
    problem(
      check,
      [...place.path, 'cost_usd'],
      'must be an amount in US dollars of 0 or more, or one expression that yields it.',
    )
}

/** A command can do anything; Strategize only reads. */
function refuseInStrategize(check: Check, place: Place): void {
  if (place.phase === 'strategize')
    problem(
      check,
      place.path,
      'A validation runs a command, and Strategize only reads. Use it under execute.',
    )
}

/** Children work under a decision of Execute, on what the plan has done so far. */
function checkSpawn(check: Check, step: SpawnStep, place: Place): void {
  if (place.phase === 'strategize')
    problem(
      check,
      place.path,
      'A spawn starts plans that write, and Strategize only reads. Use it under execute.',
    )
  check.problems.push(...spawnProblems(step, place.path, check))
  if (check.made.includes(step.id))
    problem(check, [...place.path, 'as'], `${step.id} is already the id of another decision.`)
  checkRelations(check, step, place)
  const { question, confidence, rationale } = step
  checkTexts(check, place, { question, confidence, rationale })
  for (const [index, child] of step.children.entries()) {
    const at = step.form === 'one' ? place : { ...place, path: [...place.path, step.form, index] }
    checkTexts(check, at, { args: child.args, guidance: child.guidance })
    if (step.form !== 'one') nameResult(check, child.as, at)
  }
  nameResult(check, step.as, place)
  check.made.push(step.id)
}

function nameResult(check: Check, name: string | null, place: Place): void {
  if (name === null) return
  checkName(check, name, place)
  check.results.add(name)
}

const SCOPE_NAMES = ['args', 'vars', 'guidance', 'project', 'plan', FAILED_CHECK]

/** A name must stay readable: neither one of ours nor a word of the expression language. */
function checkName(check: Check, name: string, place: Place): void {
  const read = check.expressions.evaluate(name, { [name]: name })
  const readable = read.ok && read.value === name
  if (SCOPE_NAMES.includes(name) || !readable)
    problem(
      check,
      [...place.path, 'as'],
      `${name} has a meaning of its own in expressions; take another name.`,
    )
}

function checkTexts(check: Check, place: Place, texts: Readonly<Record<string, Template>>): void {
  const scope = {
    args: check.arguments.map(argument => argument.name),
    vars: check.variables,
    project: ['name', 'root', 'languages', 'checks'],
    plan: ['plan_id', 'name', 'attempt'],
    guidance: null,
  }
  const names = [...check.results, ...place.loops]
  for (const [key, template] of Object.entries(texts)) {
    const path = key === '' ? place.path : [...place.path, key]
    check.problems.push(...checkTemplate(template, path, { scope, names, expressions: check.expressions }))
  }
}
