import type { ActorDetails } from '../../../application/actor/show-actor.ts'
import type { ActorView } from '../../protocol/views/actor.ts'

export function actorView({ name, description, problem, provider, facts, models }: ActorDetails): ActorView {
  const price = facts?.price ?? null
  return {
    name,
    description,
    available: problem === null,
    problem,
    provider: provider && {
      name: provider.name,
      kind: provider.kind,
      endpoint: provider.endpoint,
      key_from: provider.keyFrom,
      default_model: provider.defaultModel,
    },
    context_tokens: facts?.contextTokens ?? null,
    max_output_tokens: facts?.maxOutputTokens ?? null,
    price: price && {
      input: price.input,
      output: price.output,
      cached_input: price.cachedInput,
      as_of: price.asOf,
      source: price.source,
    },
    models: models?.ok ? [...models.value] : null,
    models_problem: models && !models.ok ? models.failure.message : null,
  }
}
