import type { Evaluation } from '../../domain/actor/expression.ts'

/** JSON as CEL sees it: whole numbers are ints (BigInt), so that they compare and add with written ones. */
export function toCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(toCel)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toCel(item)]))
}

/** A CEL value as JSON, or why it is none. */
export function fromCel(value: unknown): Evaluation {
  switch (typeof value) {
    case 'bigint':
      return fromInteger(value)
    case 'number':
      return Number.isFinite(value)
        ? { ok: true, value }
        : { ok: false, message: `The value ${value} is no number` }
    case 'string':
    case 'boolean':
      return { ok: true, value }
    case 'undefined':
      return { ok: true, value: null }
    case 'object':
      return value === null ? { ok: true, value: null } : fromObject(value)
    default:
      return { ok: false, message: `The value is a ${typeof value}` }
  }
}

function fromInteger(value: bigint): Evaluation {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return { ok: true, value: number }
  return { ok: false, message: `The whole number ${value} is too large` }
}

function fromObject(value: object): Evaluation {
  if (Array.isArray(value)) return fromItems(value)
  if (value instanceof Date) return { ok: true, value: value.toISOString() }
  if (value instanceof Map) return fromEntries([...value].map(([key, item]) => [String(key), item]))
  if (isUnsigned(value)) return fromCel(value.value)
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return fromEntries(Object.entries(value))
  return { ok: false, message: `The value is a ${value.constructor.name}, which no step can use` }
}

function fromItems(items: readonly unknown[]): Evaluation {
  const converted: unknown[] = []
  for (const item of items) {
    const value = fromCel(item)
    if (!value.ok) return value
    converted.push(value.value)
  }
  return { ok: true, value: converted }
}

function fromEntries(entries: readonly (readonly [string, unknown])[]): Evaluation {
  const values = fromItems(entries.map(([, item]) => item))
  if (!values.ok || !Array.isArray(values.value)) return values
  const items: readonly unknown[] = values.value
  return { ok: true, value: Object.fromEntries(entries.map(([key], index) => [key, items[index]])) }
}

function isUnsigned(value: object): value is { readonly value: bigint | number } {
  return value.constructor?.name === 'UnsignedInt' && 'value' in value
}
