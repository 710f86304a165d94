/**
 * The providers of models: how each is reached, with which key, and what its models cost. Plans, gates and prompts are
 * not known here. Begin with `createModels`.
 */
import type { Models } from '../../application/ports/model.ts'
import { refuse } from '../../domain/failure.ts'

export function createModels(): Models {
  const nothing = (name: string) =>
    refuse('not_available', `No model can be reached: there is no provider for ${name}.`, { model: name })
  return {
    providers: () => [],
    resolve: nothing,
    facts: () => ({ contextTokens: 128_000, maxOutputTokens: 8_192, price: null }),
    list: async provider => nothing(provider),
    call: async ({ model }) => nothing(model),
  }
}
