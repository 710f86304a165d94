import type { LanguageModel } from './language-model.ts'
import type { Provider } from './providers.ts'

/** Each provider's package is loaded when one of its models is first asked, so that no command starts slower for it. */
export async function openModel(
  provider: Provider,
  model: string,
  key: string | null,
): Promise<LanguageModel> {
  // A package looks for a key of its own where it is given none.
  const given = { baseURL: provider.endpoint, apiKey: key ?? 'none' }
  switch (provider.kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(given)(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(given)(model)
    }
    case 'openai':
    case 'openai_compatible':
      return provider.api === 'responses' ? openResponses(given, model) : openChat(provider, model, key)
  }
}

async function openResponses(given: { baseURL: string; apiKey: string }, model: string) {
  const { createOpenAI } = await import('@ai-sdk/openai')
  return createOpenAI(given).responses(model)
}

/** Many local models write what they think between tags in their text. */
async function openChat({ name, endpoint }: Provider, model: string, key: string | null) {
  const [{ createOpenAICompatible }, { extractReasoningMiddleware, wrapLanguageModel }] = await Promise.all([
    import('@ai-sdk/openai-compatible'),
    import('ai'),
  ])
  const provider = createOpenAICompatible({
    name,
    baseURL: endpoint,
    includeUsage: true,
    ...(key === null ? {} : { apiKey: key }),
  })
  return wrapLanguageModel({
    model: provider(model),
    middleware: extractReasoningMiddleware({ tagName: 'think' }),
  })
}
