/**
 * Actions as YAML files: the built-in ones lie in this folder. Reading them touches nothing else; what an action may do
 * is decided where it is used. Begin with `parseAction`.
 */
import type { Action, ActionArgument } from '../../domain/action.ts'
import { checkRecipe } from '../../domain/actor/check-recipe.ts'
import type { KnownAction, KnownActions } from '../../domain/actor/check-spawn.ts'
import { markDiscovered } from '../../domain/actor/discovered-checks.ts'
import type { ExpressionEvaluator } from '../../domain/actor/expression.ts'
import type { Recipe } from '../../domain/actor/recipe-format.ts'
import type { Result } from '../../domain/failure.ts'
import { unknownConfirmation } from '../../domain/guardrails/limits.ts'
import { parseName } from '../../domain/name.ts'
import type { ToolDeclaration } from '../../domain/tool.ts'
import { readGuards } from '../profiles/guards-file.ts'
import { readSafety } from '../profiles/safety-file.ts'
import { placeErrors, refuseFile } from '../yaml/place-errors.ts'
import { check, type KeyError } from '../yaml/schema-check.ts'
import { readYaml } from '../yaml/yaml-source.ts'
import { type ActionFile, actionSchema, laterKeys } from './action-schema.ts'
import { readArguments } from './read-arguments.ts'
import { readInvariants } from './read-invariants.ts'
import { readRecipe } from './read-recipe.ts'
import { stepOf } from './step-of.ts'

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
  readonly actions: KnownActions
}

/** An action file's text as an action, or everything that is wrong with it at once, with its place. */
export function parseAction(source: ActionSource, surroundings: ActionSurroundings): Result<Action> {
  const yaml = readYaml(source.text)
  if (!yaml.ok) {
    const error = { file: source.file, ...yaml.position, path: '', message: `${yaml.message}.` }
    return refuseFile(source.file, [error])
  }
  const errors: KeyError[] = []
  const action = readAction(yaml.document.value, source, surroundings, errors)
  if (action && errors.length === 0) return { ok: true, value: action }
  return refuseFile(source.file, placeErrors(errors, source.file, yaml.document, stepOf))
}

function readAction(
  value: unknown,
  source: ActionSource,
  surroundings: ActionSurroundings,
  errors: KeyError[],
): Action | null {
  const known = withoutLaterKeys(value, errors)
  const file = check(actionSchema, known, [], errors)
  const definitions = readArguments(isMap(known) ? known['arguments'] : [], errors)
  const recipe = readRecipeOf(known, errors)
  if (recipe && definitions && !errors.some(({ path }) => path[0] === 'recipe')) {
    const self = selfOf(known, definitions)
    errors.push(...meaningErrors(recipe, self, surroundings))
  }
  if (file) errors.push(...confirmationErrors(file, surroundings))
  const invariants = isMap(known) ? readInvariants(known['invariants'], errors) : []
  if (!file || !definitions) return null
  const name = readName(file, source, errors)
  if (!recipe && [file.strategy_actor, file.execution_actor].includes('builtin/recipe'))
    errors.push({ path: ['recipe'], message: 'is missing, and the actor builtin/recipe plays it.' })
  return {
    ...toAction(file, name, definitions, recipe && withDiscovered(recipe, surroundings.expressions)),
    invariants,
  }
}

/** One of them is an error of its own, but no reason to call the file misspelt. */
function withoutLaterKeys(value: unknown, errors: KeyError[]): unknown {
  if (!isMap(value)) return value
  const later = laterKeys.filter(key => Object.hasOwn(value, key))
  for (const key of later) errors.push({ path: [key], message: 'is not available yet; leave it out.' })
  return Object.fromEntries(Object.entries(value).filter(([key]) => !later.includes(key)))
}

function readRecipeOf(known: unknown, errors: KeyError[]): Recipe | null {
  const written = isMap(known) ? known['recipe'] : null
  return isMap(written) ? readRecipe(written, ['recipe'], errors) : null
}

function withDiscovered({ strategize, execute, fix }: Recipe, expressions: ExpressionEvaluator): Recipe {
  return { strategize, execute: markDiscovered(execute, expressions), fix: markDiscovered(fix, expressions) }
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

/** What is known of the file's own action, whatever else is wrong with it. It may start itself. */
function selfOf(known: unknown, definitions: readonly ActionArgument[]): KnownAction {
  const written = isMap(known) ? known : {}
  const name = parseName(String(written['name']), 'an action')
  return {
    name: name.ok ? name.value : '',
    arguments: definitions,
    readOnly: written['read_only'] === true,
  }
}

function meaningErrors(recipe: Recipe, self: KnownAction, surroundings: ActionSurroundings): KeyError[] {
  const { actions } = surroundings
  const problems = checkRecipe(recipe, {
    ...surroundings,
    arguments: self.arguments,
    readOnly: self.readOnly,
    actions: {
      names: () => [self.name, ...actions.names()],
      find: name => (name === self.name ? self : actions.find(name)),
    },
  })
  return problems.map(({ path, message }) => ({ path: ['recipe', ...path], message }))
}

function confirmationErrors({ guardrails }: ActionFile, { tools }: ActionSurroundings): KeyError[] {
  const known = tools.map(({ name }) => name)
  return (guardrails?.required_confirmations ?? []).flatMap((pattern, at) => {
    const message = unknownConfirmation(pattern, known)
    return message === null ? [] : [{ path: ['guardrails', 'required_confirmations', at], message }]
  })
}

function toAction(
  file: ActionFile,
  name: string,
  definitions: readonly ActionArgument[],
  recipe: Recipe | null,
): Omit<Action, 'invariants'> {
  return {
    name,
    description: file.description,
    longDescription: file.long_description,
    definitionOfDone: file.definition_of_done,
    strategyActor: file.strategy_actor,
    executionActor: file.execution_actor,
    arguments: definitions,
    automationProfile: file.automation_profile,
    safetyProfile: file.safety_profile && readSafety(file.safety_profile),
    guards: file.guards && readGuards(file.guards),
    guardrails: file.guardrails && toLimits(file.guardrails),
    reusable: file.reusable,
    readOnly: file.read_only,
    maxFixAttempts: file.max_fix_attempts,
    state: file.state,
    recipe,
  }
}

function toLimits(written: NonNullable<ActionFile['guardrails']>): Action['guardrails'] {
  return given({
    maxSteps: written.max_steps,
    toolBudget: written.tool_budget,
    maxTokens: written.max_tokens,
    maxWallClockSeconds: written.max_wall_clock_seconds,
    maxToolCallsPerInvocation: written.actor_limits?.max_tool_calls_per_invocation,
    maxRetriesPerFailure: written.actor_limits?.max_retries_per_failure,
    requiredConfirmations: written.required_confirmations,
  })
}

function given(named: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
