import * as z from 'zod'
import { suggest } from '../../domain/nearest.ts'
import type { KeyPath } from './yaml-source.ts'

/** One thing that is wrong, at a key of the file. */
export interface KeyError {
  readonly path: KeyPath
  readonly message: string
}

/** Checks one value against its schema and notes every error below `path`. Null when there was one. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: KeyPath,
  errors: KeyError[],
): z.output<Schema> | null {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  errors.push(...parsed.error.issues.flatMap(issue => explain(issue, schema, value, path)))
  return null
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown, base: KeyPath): KeyError[] {
  const inner = issue.path.map(part => (typeof part === 'symbol' ? String(part) : part))
  const path = [...base, ...inner]
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, inner)
    return issue.keys.map(key => ({ path: [...path, key], message: `unknown key. ${suggest(key, known)}` }))
  }
  const given = valueAt(value, inner)
  if (given === undefined) return [{ path, message: 'is missing.' }]
  return [{ path, message: sentence(issue, given) }]
}

function sentence(issue: z.core.$ZodIssue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}, not ${describe(given)}${quoteHint(issue.expected, given)}.`
    case 'invalid_value': {
      const known = issue.values.map(String)
      return `must be one of ${known.join(', ')}, not ${describe(given)}.${nearOne(given, known)}`
    }
    default:
      return `${issue.message}${issue.message.endsWith('.') ? '' : '.'}`
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
}

function quoteHint(expected: string, given: unknown): string {
  return expected === 'string' && ['number', 'boolean'].includes(typeof given) ? '; write it in quotes' : ''
}

function nearOne(given: unknown, known: readonly string[]): string {
  const hint = typeof given === 'string' ? suggest(given, known) : ''
  return hint.startsWith('Did you mean') ? ` ${hint}` : ''
}

/** What a file's author sees: the value where it is short, else its kind. */
export function describe(given: unknown): string {
  if (Array.isArray(given)) return 'a list'
  if (typeof given === 'object' && given !== null) return 'a map'
  if (given === null) return 'empty'
  if (typeof given === 'string') return JSON.stringify(given)
  return typeof given === 'number' ? `the number ${given}` : String(given)
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, part)?.value : undefined,
    value,
  )
}

/** The keys that the object schema at a path has. */
function knownKeys(schema: z.ZodType, path: KeyPath): string[] {
  let at: unknown = schema
  for (const part of path) {
    at = unwrap(at)
    if (at instanceof z.ZodObject) at = at.shape[part]
    else if (at instanceof z.ZodArray) at = at.element
    else return []
  }
  const object = unwrap(at)
  return object instanceof z.ZodObject ? Object.keys(object.shape) : []
}

function unwrap(schema: unknown): unknown {
  const wrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
  return wrapped ? unwrap(schema.unwrap()) : schema
}
