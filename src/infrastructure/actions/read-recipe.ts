import * as z from 'zod'
import type { Recipe, RecipeOption, RecipeStep, Template } from '../../domain/actor/recipe-format.ts'
import { decisionTypes } from '../../domain/decision/decision.ts'
import { suggest } from '../../domain/nearest.ts'
import { identifier } from './action-schema.ts'
import { check, describe, type KeyError } from './schema-check.ts'
import type { KeyPath } from './yaml-source.ts'

/** Reads the two lists of steps. What the steps mean together is checked in domain/actor/check-recipe.ts. */
export function readRecipe(
  lists: { readonly strategize?: unknown; readonly execute?: unknown },
  path: KeyPath,
  errors: KeyError[],
): Recipe {
  return {
    strategize: readSteps(lists.strategize ?? [], [...path, 'strategize'], errors),
    execute: readSteps(lists.execute ?? [], [...path, 'execute'], errors),
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
  tool: (body, path, errors) => tagged('tool', check(toolSchema, body, path, errors)),
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
    return read && { kind: 'validate', ...read, discovered: false }
  },
  ask: (body, path, errors) => {
    const read = check(askSchema, body, path, errors)
    const options = readOptions(own(body, 'options') ?? [], [...path, 'options'], errors)
    return read && options !== null ? { kind: 'ask', ...read, options } : null
  },
  finish: (body, path, errors) => tagged('finish', check(finishSchema, body, path, errors)),
  spawn: (body, path, errors) => readSpawn(body, path, errors),
} satisfies Readonly<Record<RecipeStep['kind'], StepReader>>

const template = z.custom<Template>(isTemplate, 'must be texts, finite numbers, true, false, lists and maps')
const text = z.custom<Template>(value => isTemplate(value) && (typeof value !== 'object' || value === null), {
  message: 'must be a text',
})
const input = z.record(z.string(), template).default({})

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
  confidence: text.default(null),
  rationale: text.default(''),
  depends_on: z.array(z.string()).default([]),
  under: z.string().nullable().default(null),
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
})

// biome-ignore lint/suspicious/noThenProperty: the recipe format has this key
const whenSchema = z.strictObject({ if: text, then: z.unknown().optional(), else: z.unknown().optional() })

const forEachSchema = z.strictObject({ over: template, as: identifier, steps: z.unknown().optional() })

const assertSchema = z.strictObject({ that: text, message: text.default('an assertion does not hold') })

const validateSchema = z.strictObject({
  command: text,
  mode: z.enum(['required', 'informational']).default('required'),
  network: z.boolean().default(false),
})

const askSchema = z.strictObject({
  question: text,
  options: z.unknown().optional(),
  as: identifier.nullable().default(null),
})

const finishSchema = z.strictObject({ note: text.default(null) })

const childSchema = z.strictObject({
  action: z.string(),
  args: input,
  as: identifier.nullable().default(null),
})

const childrenSchema = z.strictObject({
  parallel: z.array(childSchema).min(1, 'must name at least one child'),
  max_parallel: z.int().min(1).default(5),
  merge: z.enum(['three_way']).default('three_way'),
})

function readSpawn(body: unknown, path: KeyPath, errors: KeyError[]): RecipeStep | null {
  const schema = own(body, 'parallel') === undefined ? childSchema : childrenSchema
  const read = check(schema, body, path, errors)
  return read && isTemplate(read) ? { kind: 'spawn', body: read } : null
}

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

function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined
}

function isTemplate(value: unknown): value is Template {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return value !== undefined
  return Object.values(value).every(isTemplate)
}
