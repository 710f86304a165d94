import type { ActionArgument, ArgumentValue } from './action.ts'
import { type Result, refuse } from './failure.ts'
import { suggest } from './nearest.ts'
import { parseRelPath } from './sandbox/rel-path.ts'

/** `texts`: as typed, `name=value`, repeatable. `values`: JSON by name. */
export type GivenArguments =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, unknown>> }

export type BoundArguments = Readonly<Record<string, ArgumentValue | null>>

export interface ArgumentError {
  readonly argument: string
  readonly message: string
}

/** Gives every argument of an action its typed value, or names everything that is wrong at once. */
export function bindArguments(
  definitions: readonly ActionArgument[],
  given: GivenArguments,
): Result<BoundArguments> {
  const errors: ArgumentError[] = []
  const raw = given.kind === 'texts' ? gatherTexts(given.texts, errors) : gatherValues(given.values)
  refuseUnknown(definitions, raw, errors)
  const bound: Record<string, ArgumentValue | null> = {}
  for (const definition of definitions) {
    const value = bindOne(definition, raw.get(definition.name) ?? [])
    if (value.ok) bound[definition.name] = value.value
    else errors.push({ argument: definition.name, message: value.failure.message })
  }
  if (errors.length === 0) return { ok: true, value: bound }
  return refuse('invalid_input', errors.map(error => error.message).join('\n'), { errors })
}

/** Types one value, given as text or as JSON. Several values are for lists only. */
export function typedValue(definition: ActionArgument, raw: unknown): Result<ArgumentValue> {
  const reading = read[definition.type](raw, definition)
  if ('value' in reading) return { ok: true, value: reading.value }
  return refuse(
    'invalid_input',
    `Argument ${definition.name} needs ${reading.expected}, not ${describe(raw)}.`,
    { argument: definition.name, given: raw, expected: reading.expected },
  )
}

function gatherTexts(texts: readonly string[], errors: ArgumentError[]): Map<string, unknown[]> {
  const raw = new Map<string, unknown[]>()
  for (const text of texts) {
    const equals = text.indexOf('=')
    const name = text.slice(0, equals < 0 ? undefined : equals).trim()
    if (equals < 0)
      errors.push({ argument: name, message: `Argument ${text} has no value; write ${name}=VALUE.` })
    else raw.set(name, [...(raw.get(name) ?? []), text.slice(equals + 1)])
  }
  return raw
}

function gatherValues(values: Readonly<Record<string, unknown>>): Map<string, unknown[]> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return new Map(set.map(([name, value]) => [name, [value]]))
}

function refuseUnknown(
  definitions: readonly ActionArgument[],
  raw: ReadonlyMap<string, unknown>,
  errors: ArgumentError[],
): void {
  const known = definitions.map(definition => definition.name)
  for (const name of raw.keys())
    if (!known.includes(name))
      errors.push({ argument: name, message: `There is no argument ${name}. ${suggest(name, known)}` })
}

function bindOne(definition: ActionArgument, raw: readonly unknown[]): Result<ArgumentValue | null> {
  if (raw.length === 0) {
    if (definition.default !== null || !definition.required) return { ok: true, value: definition.default }
    const about = definition.description ? ` (${definition.description})` : ''
    return refuse(
      'invalid_input',
      `Argument ${definition.name}${about} is required; give ${form(definition)}.`,
    )
  }
  if (raw.length === 1) return typedValue(definition, raw[0])
  if (definition.type === 'list') return typedValue(definition, raw.flatMap(listItems))
  return refuse(
    'invalid_input',
    `Argument ${definition.name} is given ${raw.length} times but takes one value.`,
  )
}

function form(definition: ActionArgument): string {
  const kind = definition.type === 'enum' ? definition.values.join('|') : definition.type.toUpperCase()
  return `${definition.name}=${kind}`
}

type Reading = { readonly value: ArgumentValue } | { readonly expected: string }

const read: Record<ActionArgument['type'], (raw: unknown, definition: ActionArgument) => Reading> = {
  string: raw => (typeof raw === 'string' ? { value: raw } : { expected: 'a text' }),
  integer: raw => {
    const number = typeof raw === 'string' && /^[+-]?\d+$/.test(raw.trim()) ? Number(raw) : raw
    return Number.isSafeInteger(number) ? { value: Number(number) } : { expected: 'a whole number' }
  },
  number: raw => {
    const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
    return typeof number === 'number' && Number.isFinite(number)
      ? { value: number }
      : { expected: 'a number' }
  },
  boolean: raw => {
    const known = typeof raw === 'string' ? BOOLEANS[raw.trim().toLowerCase()] : raw
    return typeof known === 'boolean' ? { value: known } : { expected: 'true or false' }
  },
  list: raw => {
    const items = Array.isArray(raw) ? raw : typeof raw === 'string' ? listItems(raw) : null
    const texts = items?.every(item => typeof item === 'string')
    return items && texts ? { value: items } : { expected: 'a list of texts (a,b,c)' }
  },
  path: raw => {
    const path = typeof raw === 'string' ? parseRelPath(withoutDots(raw.trim())) : null
    return path?.ok ? { value: path.value } : { expected: 'a path inside the project, relative to its root' }
  },
  enum: (raw, definition) =>
    typeof raw === 'string' && definition.values.includes(raw)
      ? { value: raw }
      : { expected: `one of ${definition.values.join(', ')}` },
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, yes: true, no: false }

function listItems(raw: unknown): unknown[] {
  if (typeof raw !== 'string') return Array.isArray(raw) ? raw : [raw]
  return raw === '' ? [] : raw.split(',').map(item => item.trim())
}

function withoutDots(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}

function describe(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
