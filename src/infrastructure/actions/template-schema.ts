import * as z from 'zod'
import type { Template } from '../../domain/actor/recipe-format.ts'

export const template = z.custom<Template>(
  isTemplate,
  'must be texts, finite numbers, true, false, lists and maps',
)

export const text = z.custom<Template>(
  value => isTemplate(value) && (typeof value !== 'object' || value === null),
  { message: 'must be a text' },
)

export const input = z.record(z.string(), template).default({})

/** What every step that records a decision may say about it. */
export const decisionKeys = {
  confidence: text.default(null),
  rationale: text.default(''),
  depends_on: z.array(z.string()).default([]),
  under: z.string().nullable().default(null),
}

export function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined
}

function isTemplate(value: unknown): value is Template {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return value !== undefined
  return Object.values(value).every(isTemplate)
}
