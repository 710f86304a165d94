import * as z from 'zod'
import type { Recipe, RecipeOption, RecipeStep } from '../../domain/actor/recipe-format.ts'
import { decisionTypes } from '../../domain/decision/decision.ts'
import { suggest } from '../../domain/nearest.ts'
import { check, describe, type KeyError } from '../yaml/schema-check.ts'
import type { KeyPath } from '../yaml/yaml-source.ts'
import { identifier } from './action-schema.ts'
import { readSpawn } from './read-spawn.ts'
import { decisionKeys, input, own, template, text } from './template-schema.ts'

/** Reads the two lists of steps. What the steps mean together is checked in domain/actor/check-recipe.ts. */
export function readRecipe(
  lists: { readonly strategize?: unknown; readonly execute?: unknown; readonly fix?: unknown },
  path: KeyPath,
  errors: KeyError[],
): Recipe {
  return {
    strategize: readSteps(lists.strategize ?? [], [...path, 'strategize'], errors),
    execute: readSteps(lists.execute ?? [], [...path, 'execute'], errors),
    fix: readSteps(lists.fix ?? [], [...path, 'fix'], errors),
  }
}

function readSteps(value: unknown, path: KeyPath, errors: KeyError[]): RecipeStep[] {
  if (!Array.isArray(value)) {
    const message = value === undefined ? 'is missing.' : `must be a list of steps, not ${describe(value)}.`
    errors.push({ path, message })
    return []
  }
  return value.flatMap((step, index) => readStep(step, [...path, index], errors) ?? [])
}

function readStep(value: unknown, path: KeyPath, errors: KeyError[]): RecipeStep | null {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
  const key = keys[0]
  if (key === undefined) {
    errors.push({ path, message: `must be one step, such as "- tool: {...}", not ${describe(value)}.` })
    return null
  }
  if (keys.length > 1)
    errors.push({ path, message: `must be one step, but has the keys ${keys.join(', ')}.` })
  const read = Object.hasOwn(readers, key) ? readers[key as keyof typeof readers] : null // own key, just looked up
  if (!read) {
    errors.push({ path: [...path, key], message: `unknown step. ${suggest(key, Object.keys(readers))}` })
    return null
  }
  const body = own(value, key) ?? {}
  if (typeof body === 'object' && !Array.isArray(body)) return read(body, [...path, key], errors)
  errors.push({ path: [...path, key], message: `must be a map, not ${describe(body)}.` })
  return null
}

type StepReader = (body: unknown, path: KeyPath, errors: KeyError[]) => RecipeStep | null

const readers = {
  decide: (body, path, errors) => {
    const read = check(decideSchema, body, path, errors)
    const options = readOptions(own(body, 'options'), [...path, 'options'], errors)
    if (!read || options === null) return null
    const { depends_on: dependsOn, ...rest } = read
    return { kind: 'decide', ...rest, options, dependsOn }
  },
  tool: (body, path, errors) => {
    const read = check(toolSchema, body, path, errors)
    if (!read) return null
    const { cost_usd: costUsd, ...rest } = read
    return { kind: 'tool', ...rest, ...(costUsd === null ? {} : { costUsd }) }
  },
  when: (body, path, errors) => {
    const read = check(whenSchema, body, path, errors)
    const then = readSteps(own(body, 'then') ?? [], [...path, 'then'], errors)
    const otherwise = readSteps(own(body, 'else') ?? [], [...path, 'else'], errors)
    return read && { kind: 'when', if: read.if, then, else: otherwise }
  },
  for_each: (body, path, errors) => {
    const read = check(forEachSchema, body, path, errors)
    const steps = readSteps(own(body, 'steps'), [...path, 'steps'], errors)
    return read && { kind: 'for_each', over: read.over, as: read.as, steps }
  },
  assert: (body, path, errors) => tagged('assert', check(assertSchema, body, path, errors)),
  validate: (body, path, errors) => {
    const read = check(validateSchema, body, path, errors)
    const fix = readSteps(own(body, 'fix') ?? [], [...path, 'fix'], errors)
    return read && { kind: 'validate', ...read, discovered: false, fix }
  },
  ask: (body, path, errors) => {
    const read = check(askSchema, body, path, errors)
    const options = readOptions(own(body, 'options') ?? [], [...path, 'options'], errors)
    return read && options !== null ? { kind: 'ask', ...read, options } : null
  },
  finish: (body, path, errors) => tagged('finish', check(finishSchema, body, path, errors)),
  spawn: readSpawn,
} satisfies Readonly<Record<RecipeStep['kind'], StepReader>>

const decideSchema = z.strictObject({
  id: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_-]*$/,
      'must begin with a letter and hold only letters, digits, dashes and underscores',
    ),
  type: z.enum(decisionTypes),
  question: text,
  options: z.unknown().optional(),
  choose: text.default(null),
  ...decisionKeys,
})

const optionSchema = z.strictObject({
  id: z
    .string({ error: issue => `must be a text; write it in quotes: "${issue.input}"` })
    .min(1, 'must not be empty'),
  label: text,
  rationale: text.default(null),
  set: z.record(identifier, template).default({}),
})

const toolSchema = z.strictObject({
  name: z.string(),
  with: input,
  as: identifier.nullable().default(null),
  cost_usd: z
    .union([z.number().nonnegative('must not be negative'), z.string()], {
      error: 'must be an amount in US dollars of 0 or more, or one expression that yields it',
    })
    .nullable()
    .default(null),
})

// biome-ignore lint/suspicious/noThenProperty: the recipe format has this key
const whenSchema = z.strictObject({ if: text, then: z.unknown().optional(), else: z.unknown().optional() })

const forEachSchema = z.strictObject({ over: template, as: identifier, steps: z.unknown().optional() })

const assertSchema = z.strictObject({ that: text, message: text.default('an assertion does not hold') })

const validateSchema = z.strictObject({
  command: text,
  mode: z.enum(['required', 'informational']).default('required'),
  network: z.boolean().default(false),
  fix: z.unknown().optional(),
})

const askSchema = z.strictObject({
  question: text,
  options: z.unknown().optional(),
  as: identifier.nullable().default(null),
})

const finishSchema = z.strictObject({ note: text.default(null) })

function readOptions(
  value: unknown,
  path: KeyPath,
  errors: KeyError[],
): string | readonly RecipeOption[] | null {
  if (typeof value === 'string') return value
  return check(z.array(optionSchema), value, path, errors)
}

function tagged<Kind extends string, Body extends object>(
  kind: Kind,
  body: Body | null,
): ({ kind: Kind } & Body) | null {
  return body && { kind, ...body }
}
