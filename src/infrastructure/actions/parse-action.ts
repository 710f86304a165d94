/**
 * Actions as YAML files: the built-in ones lie in this folder. Reading them touches nothing else; what an action may do
 * is decided where it is used. Begin with `parseAction`.
 */
import { z } from 'zod'
import type { Action, ActionArgument, ArgumentValue } from '../../domain/action.ts'
import { checkRecipe } from '../../domain/actor/check-recipe.ts'
import { markDiscovered } from '../../domain/actor/discovered-checks.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import type { Recipe } from '../../domain/actor/recipe-format.ts'
import { typedValue } from '../../domain/arguments.ts'
import { type Result, refuse } from '../../domain/failure.ts'
import { parseName } from '../../domain/name.ts'
import type { ToolDeclaration } from '../../domain/tool.ts'
import { type ActionFile, actionSchema, argumentSchema, laterKeys } from './action-schema.ts'
import { readRecipe } from './read-recipe.ts'
import { check, type KeyError } from './schema-check.ts'
import { type KeyPath, type Position, readYaml, type YamlDocument } from './yaml-source.ts'

export interface ActionSource {
  /** As errors name it. */
  readonly file: string
  readonly text: string
  /** Names in `builtin/` are ours alone. */
  readonly origin: 'builtin' | 'user'
}

export interface ActionSurroundings {
  readonly tools: readonly ToolDeclaration[]
  readonly expressions: ExpressionEvaluator
}

export interface ActionError extends Position {
  readonly file: string
  /** The key, e.g. `recipe.execute[0].tool.name`; empty where the file is no YAML. */
  readonly path: string
  /** The recipe step it belongs to, e.g. `execute[3].then[0]`. */
  readonly step?: string
  readonly message: string
}

/** An action file's text as an action, or everything that is wrong with it at once, with its place. */
export function parseAction(source: ActionSource, surroundings: ActionSurroundings): Result<Action> {
  const yaml = readYaml(source.text)
  if (!yaml.ok) {
    const { file } = source
    return refused(source, [{ file, ...yaml.position, path: '', message: `${yaml.message}.` }])
  }
  const errors: KeyError[] = []
  const action = readAction(yaml.document.value, source, surroundings, errors)
  if (action && errors.length === 0) return { ok: true, value: action }
  return refused(source, placed(errors, source, yaml.document))
}

function readAction(
  value: unknown,
  source: ActionSource,
  surroundings: ActionSurroundings,
  errors: KeyError[],
): Action | null {
  const known = withoutLaterKeys(value, errors)
  const file = check(actionSchema, known, [], errors)
  const definitions = readArguments(known, errors)
  const recipe = readRecipeOf(known, errors)
  if (recipe && definitions && !errors.some(({ path }) => path[0] === 'recipe'))
    errors.push(
      ...meaningErrors(recipe, definitions, isMap(known) && known['read_only'] === true, surroundings),
    )
  if (!file || !definitions) return null
  const name = readName(file, source, errors)
  if (!recipe && [file.strategy_actor, file.execution_actor].includes('builtin/recipe'))
    errors.push({ path: ['recipe'], message: 'is missing, and the actor builtin/recipe plays it.' })
  return toAction(file, name, definitions, recipe && withDiscovered(recipe, surroundings.expressions))
}

/** One of them is an error of its own, but no reason to call the file misspelt. */
function withoutLaterKeys(value: unknown, errors: KeyError[]): unknown {
  if (!isMap(value)) return value
  const later = laterKeys.filter(key => Object.hasOwn(value, key))
  for (const key of later) errors.push({ path: [key], message: 'is not available yet; leave it out.' })
  return Object.fromEntries(Object.entries(value).filter(([key]) => !later.includes(key)))
}

/** Null where their shape is wrong, which is among the errors already. */
function readArguments(known: unknown, errors: KeyError[]): ActionArgument[] | null {
  const written = z.array(argumentSchema).safeParse((isMap(known) && known['arguments']) || [])
  return written.success ? written.data.map((_, index) => readArgument(written.data, index, errors)) : null
}

function readArgument(all: ActionFile['arguments'], index: number, errors: KeyError[]): ActionArgument {
  const argument = all[index]
  if (!argument) throw new Error(`there is no argument ${index}`)
  const report = (key: string, message: string) => errors.push({ path: ['arguments', index, key], message })
  if (all.findIndex(({ name }) => name === argument.name) !== index)
    report('name', `${argument.name} is already the name of another argument.`)
  if (argument.type === 'enum' && argument.values.length === 0)
    report('values', 'must list the values of the enum.')
  if (argument.type !== 'enum' && argument.values.length > 0)
    report('values', `is for the type enum, not for ${argument.type}.`)
  return { ...argument, default: readDefault(argument, ['arguments', index, 'default'], errors) }
}

function readDefault(
  argument: ActionFile['arguments'][number],
  path: KeyPath,
  errors: KeyError[],
): ArgumentValue | null {
  const given = argument.default ?? null
  if (given === null) return null
  const value = typedValue({ ...argument, default: null }, given)
  if (value.ok) return value.value
  errors.push({ path, message: value.failure.message })
  return null
}

function readRecipeOf(known: unknown, errors: KeyError[]): Recipe | null {
  const written = isMap(known) ? known['recipe'] : null
  return isMap(written) ? readRecipe(written, ['recipe'], errors) : null
}

function withDiscovered({ strategize, execute }: Recipe, expressions: ExpressionEvaluator): Recipe {
  return { strategize, execute: markDiscovered(execute, expressions) }
}

function readName(file: ActionFile, source: ActionSource, errors: KeyError[]): string {
  const name = parseName(file.name, 'an action')
  if (!name.ok) errors.push({ path: ['name'], message: name.failure.message })
  else if (source.origin === 'user' && name.value.startsWith('builtin/'))
    errors.push({
      path: ['name'],
      message: 'must not begin with builtin/, which holds the actions that come along.',
    })
  return name.ok ? name.value : file.name
}

function meaningErrors(
  recipe: Recipe,
  definitions: readonly ActionArgument[],
  readOnly: boolean,
  surroundings: ActionSurroundings,
): KeyError[] {
  const problems = checkRecipe(recipe, { ...surroundings, arguments: definitions, readOnly })
  return problems.map(({ path, message }) => ({ path: ['recipe', ...path], message }))
}

function toAction(
  file: ActionFile,
  name: string,
  definitions: readonly ActionArgument[],
  recipe: Recipe | null,
): Action {
  return {
    name,
    description: file.description,
    longDescription: file.long_description,
    definitionOfDone: file.definition_of_done,
    strategyActor: file.strategy_actor,
    executionActor: file.execution_actor,
    arguments: definitions,
    invariants: file.invariants,
    automationProfile: file.automation_profile,
    safetyProfile: file.safety_profile && toSafety(file.safety_profile),
    reusable: file.reusable,
    readOnly: file.read_only,
    state: file.state,
    recipe,
  }
}

function toSafety(written: NonNullable<ActionFile['safety_profile']>): Action['safetyProfile'] {
  const named = {
    requireSandbox: written.require_sandbox,
    requireCheckpoints: written.require_checkpoints,
    allowUnsafeTools: written.allow_unsafe_tools,
    requireHumanApproval: written.require_human_approval,
    allowedSkillCategories: written.allowed_skill_categories,
    maxCostPerPlan: written.max_cost_per_plan,
    maxTotalCost: written.max_total_cost,
    maxRetriesPerStep: written.max_retries_per_step,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function placed(errors: readonly KeyError[], source: ActionSource, yaml: YamlDocument): ActionError[] {
  const all = errors.map(({ path, message }) => ({
    file: source.file,
    ...yaml.positionOf(path),
    path: pathText(path),
    ...stepOf(path),
    message,
  }))
  return all.sort((a, b) => a.line - b.line || a.column - b.column)
}

function refused(source: ActionSource, errors: readonly ActionError[]): Result<Action> {
  const lines = errors.map(error => {
    const place = `${error.file}:${error.line}:${error.column}`
    return error.path === '' ? `${place} ${error.message}` : `${place} ${error.path}: ${error.message}`
  })
  return refuse('invalid_input', lines.join('\n'), { file: source.file, errors })
}

/** `recipe.execute[0].tool.with.find` */
function pathText(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** `execute[3].then[0]`: the numbered lists on the way, without the names of the steps that hold them. */
function stepOf(path: KeyPath): { step?: string } {
  const [root, ...rest] = path
  if (root !== 'recipe') return {}
  const parts: string[] = []
  for (const [index, part] of rest.entries()) {
    const number = rest[index + 1]
    if (!STEP_LISTS.includes(String(part)) || typeof number !== 'number') continue
    parts.push(`${part}[${number}]`)
  }
  return parts.length > 0 ? { step: parts.join('.') } : {}
}

const STEP_LISTS = ['strategize', 'execute', 'then', 'else', 'steps']

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
