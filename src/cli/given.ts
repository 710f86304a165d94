/** What was typed after the words of a command, by the names in its row. The parser has checked it against the row. */
export interface Given {
  /** For what the row requires. */
  one(name: string): string
  maybe(name: string): string | undefined
  many(name: string): readonly string[]
  number(name: string): number | undefined
  has(name: string): boolean
}

export type GivenValues = Readonly<
  Record<string, string | boolean | number | readonly string[] | null | undefined>
>

export function readGiven(values: GivenValues): Given {
  const maybe = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    maybe,
    one(name) {
      const value = maybe(name)
      if (value === undefined) throw new Error(`the row of this command does not require ${name}`)
      return value
    },
    many(name) {
      const value = values[name]
      return Array.isArray(value) ? value : []
    },
    number(name) {
      const value = values[name]
      return typeof value === 'number' ? value : undefined
    },
    has: name => values[name] === true,
  }
}
