import * as z from 'zod'
import { type Action, argumentTypes, DEFAULT_FIX_ATTEMPTS } from '../../../domain/action.ts'
import type { Recipe, RecipeStep } from '../../../domain/actor/recipe-format.ts'
import { limitsSchema } from '../../../domain/guardrails/limits.ts'
import type { StatedInvariant } from '../../../domain/invariant/invariant.ts'
import { guardsSchema, safetyProfileSchema } from '../../../domain/profile/profile.ts'
import { stated } from './invariant-schema.ts'

export const argumentValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** Actions of before there were rules hold words alone. */
const statedInvariant: z.ZodType<StatedInvariant> = z.union([
  z.string().transform(text => ({ text, rule: null })),
  z.object(stated),
])

/** Only the outline: a recipe was checked step by step when its file was read, and is stored as that check left it. */
const recipe = z
  .custom<Recipe>(isRecipe, 'not a recipe')
  // One of before it could say how a check is fixed.
  .transform(withFixes)

function withFixes({ strategize, execute, fix = [] }: Partial<Recipe>): Recipe {
  return {
    strategize: (strategize ?? []).map(withFix),
    execute: (execute ?? []).map(withFix),
    fix: fix.map(withFix),
  }
}

function withFix(step: RecipeStep): RecipeStep {
  if (step.kind === 'validate') return { ...step, fix: (step.fix ?? []).map(withFix) }
  if (step.kind === 'for_each') return { ...step, steps: step.steps.map(withFix) }
  if (step.kind !== 'when') return step
  // biome-ignore lint/suspicious/noThenProperty: the recipe format has this key
  return { ...step, then: step.then.map(withFix), else: step.else.map(withFix) }
}

function isRecipe(value: unknown): boolean {
  return outline.safeParse(value).success
}

const steps = z.array(z.looseObject({ kind: z.string() }))
const outline = z.object({ strategize: steps, execute: steps })

export const actionSchema: z.ZodType<Action> = z.object({
  name: z.string(),
  description: z.string(),
  longDescription: z.string().nullable(),
  definitionOfDone: z.string(),
  strategyActor: z.string(),
  executionActor: z.string(),
  arguments: z.array(
    z.object({
      name: z.string(),
      type: z.enum(argumentTypes),
      required: z.boolean(),
      default: argumentValue.nullable(),
      description: z.string(),
      values: z.array(z.string()),
    }),
  ),
  invariants: z.array(statedInvariant),
  automationProfile: z.string().nullable(),
  // exactOptionalPropertyTypes: a key is there with a value or not there at all, as JSON has it.
  safetyProfile: z
    .custom<Action['safetyProfile']>(value => partialSafety.safeParse(value).success, 'not a safety profile')
    .nullable(),
  // Actions of before they could have guards have none.
  guards: guardsSchema.nullable().default(null),
  guardrails: z
    .custom<Action['guardrails']>(value => partialLimits.safeParse(value).success, 'not limits')
    .nullable()
    .default(null),
  reusable: z.boolean(),
  readOnly: z.boolean(),
  maxFixAttempts: z.number().default(DEFAULT_FIX_ATTEMPTS),
  state: z.enum(['available', 'archived']),
  recipe: recipe.nullable(),
})

const partialSafety = safetyProfileSchema.partial()
const partialLimits = limitsSchema.partial()
