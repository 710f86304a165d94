/** What a call of a model used, and what that costs. */

/** Tokens as the provider counted them; null where it did not say. */
export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Of the input, read from the provider's cache. */
  readonly cachedInputTokens: number | null
}

/** US dollars for a million tokens. */
interface Rates {
  readonly input: number
  readonly output: number
  /** Null: as any other input. */
  readonly cachedInput: number | null
}

export interface Price extends Rates {
  /** A whole call whose input has more tokens than `moreThan` costs this instead. */
  readonly longPrompts?: Rates & { readonly moreThan: number }
  /** The day on which it was looked up, ISO 8601. */
  readonly asOf: string
  readonly source: 'table' | 'setting'
}

/** US dollars; null where the price or the use is unknown. */
export function costOf(price: Price | null, usage: Usage): number | null {
  if (price === null || usage.inputTokens === null || usage.outputTokens === null) return null
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const fresh = usage.inputTokens - cached
  const { longPrompts } = price
  const rates = longPrompts && usage.inputTokens > longPrompts.moreThan ? longPrompts : price
  const millions =
    fresh * rates.input + cached * (rates.cachedInput ?? rates.input) + usage.outputTokens * rates.output
  return millions / 1_000_000
}

/** A rough count where nobody counted: four characters to a token. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
