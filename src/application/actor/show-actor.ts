import { ok, type Result, refuse } from '../../domain/failure.ts'
import { noneNamed } from '../../domain/nearest.ts'
import type { ModelFacts, ModelProvider } from '../ports/model.ts'
import type { Ports } from '../ports.ts'

/** An actor as a person looks at it before using it. */
export interface ActorDetails {
  readonly name: string
  readonly description: string
  /** Why it cannot be used, and what to do; null when it can. */
  readonly problem: string | null
  /** Null: it needs no model. */
  readonly provider: ModelProvider | null
  /** What one call of it may hold and cost; null where no model is named. */
  readonly facts: ModelFacts | null
  /** What its server lists, or why that is not known. */
  readonly models: Result<readonly string[]> | null
}

const LONGEST_WAIT_MS = 5_000

/** By the name of an actor kind, of a provider, or of a model as PROVIDER/MODEL. */
export async function showActor(ports: Ports, name: string): Promise<Result<ActorDetails>> {
  const { actors, models } = ports
  const kind = actors.list().find(each => each.name === name)
  if (kind && name !== 'model')
    return ok({ ...kind, problem: null, provider: null, facts: null, models: null })
  const resolved = name === 'model' ? models.resolve('model') : ok(name)
  if (!resolved.ok) return resolved
  const [prefix = '', ...rest] = resolved.value.split('/')
  const providers = models.providers()
  const provider = providers.find(each => each.name === prefix)
  if (!provider) {
    const known = [...actors.list(), ...providers].map(each => each.name)
    return refuse('not_found', noneNamed('actor', name, known), { actor: name })
  }
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
  return ok({
    name: resolved.value,
    description: `a model of ${provider.label} that strategises and executes`,
    problem: provider.problem,
    provider,
    facts: rest.length === 0 ? null : models.facts(resolved.value),
    models: provider.problem === null ? await models.list(provider.name, signal) : null,
  })
}
