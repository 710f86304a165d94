/**
 * The providers of models: how each is reached, with which key, and what its models cost. Plans, gates and prompts are
 * not known here. Begin with `createModels`; what one provider is lies in providers.ts, one call in call-model.ts.
 */
import type { ModelFacts, Models, ModelUse } from '../../application/ports/model.ts'
import type { Settings } from '../../application/ports/setting.ts'
import { type Failure, ok, type Result, refuse } from '../../domain/failure.ts'
import { nearest, suggest } from '../../domain/nearest.ts'
import { gettingGoing } from './getting-going.ts'
import { knownModel, priceOf } from './known-models.ts'
import { readKey } from './provider-key.ts'
import { type Provider, type ProviderSurroundings, readProviders } from './providers.ts'
import { followProxy } from './proxy.ts'

export interface ModelSurroundings extends ProviderSurroundings {
  readonly settings: Pick<Settings, 'get'>
}

export function createModels(surroundings: ModelSurroundings): Models {
  const { env, settings } = surroundings
  const providers = () => readProviders(surroundings).list

  const named = (name: string): Result<Named> => {
    const [prefix = '', ...rest] = name.split('/')
    const model = rest.join('/')
    const list = providers()
    const provider = list.find(each => each.name === prefix)
    if (!provider || model === '')
      return refuse(
        'not_found',
        provider
          ? `${name} names no model. Write ${prefix}/MODEL; \`agents actor show ${prefix}\` lists them.`
          : `There is no provider ${prefix} for the model ${name}. ${suggest(
              prefix,
              list.map(each => each.name),
            )}`,
        { model: name, provider: prefix },
      )
    const reading = readKey(provider.keySource, env)
    if (provider.problem !== null || !reading.ok)
      return refuse(
        'unauthenticated',
        provider.problem ?? (reading.ok ? '' : `${provider.label} cannot be used: ${reading.problem}`),
        { model: name, provider: prefix, key_from: provider.keyFrom },
      )
    return ok({ provider, model, key: reading.key })
  }

  const list: Models['list'] = async (name, signal) => {
    const found = named(`${name}/any`)
    if (!found.ok) return found
    const { listModels } = await import('./list-models.ts')
    followProxy(env)
    return listModels(found.value.provider, found.value.key, signal)
  }

  return {
    providers,
    problems: () => readProviders(surroundings).problems,
    resolve: (name, use = { role: null, project: null }) => {
      if (name === 'model') return defaultModel(providers(), settings, use)
      const found = named(name)
      return found.ok ? ok(name) : found
    },
    facts: name => factsOf(providers(), name),
    list,
    call: async (call, hands) => {
      const found = named(call.model)
      if (!found.ok) return found
      const { callModel } = await import('./call-model.ts')
      followProxy(env)
      const idle = settings.get('model.idle-seconds', null)
      const idleMs = (idle.ok ? Number(idle.value.value) : 240) * 1000
      const reply = await callModel({ ...found.value, idleMs }, call, hands)
      if (reply.ok || reply.failure.facts['reason'] !== 'model') return reply
      return withNearest(reply.failure, found.value, await list(found.value.provider.name, hands.signal))
    },
  }
}

interface Named {
  readonly provider: Provider
  readonly model: string
  readonly key: string | null
}

/** What the settings say, else the default of the only provider that can be used: which one is never guessed. */
function defaultModel(
  providers: readonly Provider[],
  settings: Pick<Settings, 'get'>,
  { role, project }: ModelUse,
): Result<string> {
  const keys = [...(role === null ? [] : [keyOfRole[role]]), 'actor.default']
  for (const key of keys) {
    const setting = settings.get(key, project)
    if (!setting.ok) return setting
    const name = String(setting.value.value)
    if (name !== 'none') return checkedDefault(providers, name, key)
  }
  const usable = providers.filter(each => each.problem === null)
  const [only, ...more] = usable.flatMap(({ name, defaultModel: model }) =>
    model === null ? [] : [`${name}/${model}`],
  )
  if (only !== undefined && more.length === 0) return ok(only)
  if (usable.length === 0) return refuse('not_available', gettingGoing, { reason: 'no_model' })
  const examples = only === undefined ? usable.map(({ name }) => `${name}/MODEL`) : [only, ...more]
  return refuse(
    'not_available',
    [
      'Which model to use is not set. Choose one:',
      ...examples.map(name => `  agents config set actor.default ${name}`),
    ].join('\n'),
    { reason: 'no_default', candidates: examples },
  )
}

const keyOfRole = {
  strategy: 'actor.default.strategy',
  execution: 'actor.default.execution',
} as const

function checkedDefault(providers: readonly Provider[], name: string, key: string): Result<string> {
  const provider = providers.find(each => each.name === name.split('/', 1)[0])
  if (provider?.problem === null && name.includes('/')) return ok(name)
  const reason = provider
    ? (provider.problem ?? 'it must be PROVIDER/MODEL.')
    : `There is no such provider. ${suggest(
        name.split('/', 1)[0] ?? '',
        providers.map(each => each.name),
      )}`
  return refuse('not_available', `${key} is ${name}: ${reason}`, { model: name, key })
}

function factsOf(providers: readonly Provider[], name: string): ModelFacts {
  const [prefix, ...rest] = name.split('/')
  const model = rest.join('/')
  const provider = providers.find(each => each.name === prefix)
  const set = provider?.models[model]
  const known = provider ? knownModel(provider.kind, model) : null
  const price = set?.price
  return {
    contextTokens: set?.['context-tokens'] ?? known?.context ?? 128_000,
    maxOutputTokens: set?.['max-output-tokens'] ?? known?.output ?? 8_192,
    price: price
      ? {
          input: price.input,
          output: price.output,
          cachedInput: price['cached-input'] ?? null,
          asOf: price['as-of'],
          source: 'setting',
        }
      : known && provider?.isOwnEndpoint
        ? priceOf(known)
        : null,
  }
}

/** Adds the names from the server's list that are most like the one it does not know. */
function withNearest(
  failure: Failure,
  { provider, model }: Named,
  listed: Result<readonly string[]>,
): Result<never> {
  if (!listed.ok) return { ok: false, failure }
  const candidates = nearest(model, listed.value).map(each => `${provider.name}/${each}`)
  const hint =
    candidates.length > 0
      ? `Nearest: ${candidates.join(', ')}.`
      : `\`agents actor show ${provider.name}\` lists those that it has.`
  return refuse('not_found', `${provider.label} at ${provider.endpoint} has no model ${model}. ${hint}`, {
    ...failure.facts,
    candidates,
  })
}
