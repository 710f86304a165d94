/** JSON with the keys of every object in order: equal values have equal texts, so a digest can stand for the value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isPlainObject(inner) ? withSortedKeys(inner) : inner,
  )
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withSortedKeys(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Without a prototype, a key such as `__proto__` is one like any other.
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value).sort()) sorted[key] = value[key]
  return sorted
}
