import * as z from 'zod'
import { check, type KeyError } from '../yaml/schema-check.ts'

const amount = z.number().min(0)

const modelSchema = z
  .strictObject({
    'context-tokens': z.int().min(1),
    'max-output-tokens': z.int().min(1),
    price: z.strictObject({
      input: amount,
      output: amount,
      'cached-input': amount.optional(),
      'as-of': z.iso.date(),
    }),
  })
  .partial()

const providerSchema = z
  .strictObject({
    kind: z.enum(['openai', 'anthropic', 'google', 'openai_compatible']),
    'base-url': z.url({ protocol: /^https?$/ }),
    'key-env': z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable.'),
    'key-file': z.string().min(1),
    api: z.enum(['responses', 'chat']),
    'default-model': z.string().min(1),
    models: z.record(z.string(), modelSchema),
  })
  .partial()

export type ProviderSection = z.output<typeof providerSchema>

const NAME = /^[a-z][a-z0-9_-]{0,31}$/
const TAKEN = ['builtin', 'local', 'model']

/** What the settings file says below `providers:`, and what is wrong with it, one sentence each. */
export function readProviderSection(value: unknown): {
  readonly providers: Readonly<Record<string, ProviderSection>>
  readonly problems: readonly string[]
} {
  const errors: KeyError[] = []
  const named = check(z.record(z.string(), z.unknown()), value ?? {}, ['providers'], errors) ?? {}
  const providers = Object.entries(named).flatMap(([name, given]) => {
    const path = ['providers', name]
    const before = errors.length
    if (!NAME.test(name) || TAKEN.includes(name))
      errors.push({
        path,
        message: `is no name for a provider. Use small letters, digits, - and _, and none of ${TAKEN.join(', ')}.`,
      })
    const provider = check(providerSchema, given ?? {}, path, errors)
    if (provider?.['key-env'] !== undefined && provider['key-file'] !== undefined)
      errors.push({ path, message: 'has key-env and key-file. Keep one of them.' })
    return provider === null || errors.length > before ? [] : [[name, provider] as const]
  })
  return {
    providers: Object.fromEntries(providers),
    problems: errors.map(({ path, message }) => `${path.join('.')} ${message}`),
  }
}
