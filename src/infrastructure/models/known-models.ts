import type { Price } from '../../domain/model/usage.ts'

interface KnownModel {
  readonly context: number
  readonly output: number
  /** US dollars for a million tokens: input, input read from the cache, output. */
  readonly price: readonly [number, number | null, number]
  /** The day on which the provider's page said so. */
  readonly asOf: string
  /** Prompts of more tokens than the first number cost so much. */
  readonly longPrompts?: readonly [number, ...KnownModel['price']]
}

/**
 * Prices of the providers' own endpoints, by kind of provider. A model that is missing here costs an unknown amount; what
 * a person sets in the settings file goes before.
 */
const knownModels: Readonly<Record<string, Readonly<Record<string, KnownModel>>>> = {
  openai: {
    'gpt-6.1-sol': gpt6([2, 0.1, 10]),
    'gpt-6-sol': gpt6([2, 0.2, 10]),
    'gpt-6-luna': gpt6([0.1, 0.01, 0.5]),
    'gpt-5.4': { context: 272_000, output: 128_000, price: [2.5, 0.25, 15], asOf: '2026-03-31' },
    'gpt-5.4-mini': { context: 272_000, output: 128_000, price: [0.75, 0.075, 4.5], asOf: '2026-03-31' },
  },
  anthropic: {
    'claude-fable-5-2': claude([8, null, 40]),
    'claude-opus-5-5': claude([4, 0.2, 20]),
    'claude-opus-5': claude([5, 0.5, 25]),
    'claude-sonnet-5-5': claude([2, 0.1, 10]),
    'claude-sonnet-5': claude([2, 0.2, 10]),
    'claude-haiku-5-5': { ...claude([0.1, 0.01, 0.5]), longPrompts: [100_000, 0.5, 0.05, 2.5] },
    'claude-haiku-4-5': { context: 200_000, output: 64_000, price: [1, 0.1, 5], asOf: '2026-10-16' },
  },
  google: {
    'gemini-4-argon': gemini([4, 0.2, 20], '2026-12-01'),
    // Half of this until the end of 2026: the price that stays is the safer one to count with.
    'gemini-3.8-flash': gemini([1.5, null, 7.5], '2026-10-07'),
    'gemini-3.5-flash': gemini([1.5, null, 9], '2026-10-07'),
    'gemini-3.5-flash-lite': gemini([0.3, null, 2.5], '2026-10-07'),
    'gemini-3.1-pro-preview': {
      ...gemini([2, null, 12], '2026-10-07'),
      longPrompts: [200_000, 4, null, 18],
    },
    'gemini-2.5-pro': { ...gemini([1.25, null, 10], '2026-10-07'), longPrompts: [200_000, 2.5, null, 15] },
    'gemini-2.5-flash': gemini([0.3, null, 2.5], '2026-10-07'),
  },
}

function gpt6(price: KnownModel['price']): KnownModel {
  const [input, cached, output] = price
  return {
    context: 1_050_000,
    output: 128_000,
    price,
    asOf: '2026-11-05',
    longPrompts: [272_000, input * 2, cached === null ? null : cached * 2, output * 1.5],
  }
}

function claude(price: KnownModel['price']): KnownModel {
  return { context: 1_000_000, output: 128_000, price, asOf: '2026-10-16' }
}

function gemini(price: KnownModel['price'], asOf: string): KnownModel {
  return { context: 1_048_576, output: 65_536, price, asOf }
}

/** A model under its name, or under the name without the day of its edition. */
export function knownModel(kind: string, model: string): KnownModel | null {
  const models = knownModels[kind] ?? {}
  const undated = model.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
  for (const name of [model, undated]) if (Object.hasOwn(models, name)) return models[name] ?? null
  return null
}

export function priceOf({ price, asOf, longPrompts }: KnownModel): Price {
  const [input, cachedInput, output] = price
  const base = { input, output, cachedInput, asOf, source: 'table' } as const
  if (!longPrompts) return base
  const [moreThan, longInput, longCached, longOutput] = longPrompts
  return {
    ...base,
    longPrompts: { moreThan, input: longInput, output: longOutput, cachedInput: longCached },
  }
}
