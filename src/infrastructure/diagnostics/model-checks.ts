import type { DiagnosticCheck } from '../../application/ports/machine.ts'
import type { ModelProvider, Models } from '../../application/ports/model.ts'

const LONGEST_WAIT_MS = 3_000

/** Which providers of models can be used, whether their servers answer, and what is missing for the others. */
export async function modelChecks(models: Models): Promise<DiagnosticCheck[]> {
  const providers = models.providers()
  const wanted = providers.filter(each => each.isConfigured)
  const others = providers.filter(each => !each.isConfigured)
  return [
    ...models
      .problems()
      .map((message): DiagnosticCheck => ({ name: 'providers', status: 'warn', message, remedy: null })),
    ...(await Promise.all(wanted.map(provider => providerCheck(models, provider)))),
    defaultCheck(models),
    {
      name: 'other models',
      status: 'info',
      message:
        others.length === 0
          ? 'every known provider is set up'
          : `not set up: ${others.map(each => each.name).join(', ')}; agents actor list says what each needs`,
      remedy: null,
    },
  ]
}

async function providerCheck(models: Models, provider: ModelProvider): Promise<DiagnosticCheck> {
  const name = `models ${provider.name}`
  if (provider.problem !== null) return { name, status: 'warn', message: provider.problem, remedy: null }
  const listed = await models.list(provider.name, AbortSignal.timeout(LONGEST_WAIT_MS))
  if (!listed.ok)
    return {
      name,
      status: 'warn',
      message: listed.failure.message,
      remedy:
        listed.failure.code === 'unauthenticated'
          ? `Put a valid key in ${provider.keyFrom ?? 'place, see docs/models.md'}.`
          : 'Start the server, or correct its address. Plans that need it wait and try again.',
    }
  const key = provider.keyFrom === null ? 'no key' : `key from ${provider.keyFrom}`
  return {
    name,
    status: 'ok',
    message: `${listed.value.length} models at ${provider.endpoint}, ${key}`,
    remedy: null,
  }
}

function defaultCheck(models: Models): DiagnosticCheck {
  const found = models.resolve('model')
  if (found.ok) return { name: 'default model', status: 'info', message: found.value, remedy: null }
  const isUnset = found.failure.facts['reason'] === 'no_model'
  return {
    name: 'default model',
    status: isUnset ? 'info' : 'warn',
    message: isUnset ? 'none; recipes need none' : found.failure.message,
    remedy: isUnset ? 'To use models: agents actor list' : null,
  }
}
