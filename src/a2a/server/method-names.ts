import { type MethodName, type MethodRow, methods } from '../protocol/methods.ts'

export interface NamedMethod {
  readonly name: MethodName
  readonly row: MethodRow
  /** It was called by an older name. */
  readonly deprecated: { readonly method: string; readonly use: MethodName } | null
}

export function findMethod(called: string): NamedMethod | null {
  return byName.get(called) ?? null
}

/** Every name that can be called, for "did you mean". */
export function methodNames(): string[] {
  return [...byName.keys()]
}

const byName: ReadonlyMap<string, NamedMethod> = index()

function index(): Map<string, NamedMethod> {
  const names = new Map<string, NamedMethod>()
  for (const name of Object.keys(methods) as MethodName[]) {
    // The keys of a constant literal are its names.
    const row: MethodRow = methods[name]
    names.set(name, { name, row, deprecated: null })
    for (const alias of row.aliases ?? [])
      names.set(alias, { name, row, deprecated: { method: alias, use: name } })
  }
  return names
}
