import * as z from 'zod'
import { ok, type Result, refuse } from '../../domain/failure.ts'
import type { Provider } from './providers.ts'

const idsSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })
const googleSchema = z.looseObject({
  models: z.array(
    z.looseObject({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() }),
  ),
})

/** The names that a provider's server lists, each without its provider. */
export async function listModels(
  provider: Provider,
  key: string | null,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const { label, endpoint, kind } = provider
  try {
    const response = await fetch(`${endpoint}/models${kind === 'openai_compatible' ? '' : pageOf(kind)}`, {
      headers: headersFor(kind, key),
      signal,
    })
    if (response.ok) return ok(namesIn(kind, await response.json()))
    // Google says so of a key that it does not know.
    const isKeyRefused =
      [401, 403].includes(response.status) || (kind === 'google' && response.status === 400)
    if (isKeyRefused && provider.keyFrom !== null)
      return refuse('unauthenticated', `${label} refuses the key from ${provider.keyFrom}.`, {
        provider: provider.name,
        status: response.status,
      })
    return refuse('transient', `${label} at ${endpoint} answers with status ${response.status}.`, {
      provider: provider.name,
      status: response.status,
    })
  } catch (error) {
    // A header that cannot be sent would be named with what is in it: the error itself is not shown.
    const reason = signal.aborted ? 'it did not answer in time' : reasonOf(error)
    return refuse('transient', `${label} cannot be reached at ${endpoint}: ${reason}.`, {
      provider: provider.name,
    })
  }
}

function pageOf(kind: Provider['kind']): string {
  if (kind === 'anthropic') return '?limit=1000'
  return kind === 'google' ? '?pageSize=1000' : ''
}

function headersFor(kind: Provider['kind'], key: string | null): Record<string, string> {
  if (key === null) return {}
  if (kind === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return kind === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

function namesIn(kind: Provider['kind'], body: unknown): readonly string[] {
  if (kind !== 'google') return idsSchema.parse(body).data.map(({ id }) => id)
  return googleSchema
    .parse(body)
    .models.filter(each => each.supportedGenerationMethods?.includes('generateContent') ?? true)
    .map(({ name }) => name.replace(/^models\//, ''))
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'what it says is no list of models'
  const cause = error instanceof Error ? error.cause : null
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  if (code === 'ECONNREFUSED') return 'nothing answers there'
  return typeof code === 'string' ? code : 'the connection failed'
}
