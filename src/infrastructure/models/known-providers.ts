import type { ModelProvider } from '../../application/ports/model.ts'

/** What is known of a provider without being told. */
export interface KnownProvider {
  /** For people. */
  readonly label: string
  readonly kind: ModelProvider['kind']
  readonly endpoint: string
  /** Variables that move the endpoint, as the provider's own programs read them. */
  readonly endpointVariable: string
  /** Variables that hold the key, the strongest first; none where no key is needed. */
  readonly keyVariables: readonly string[]
  /** What `model` means where this provider alone can be used. Looked up on 2026-12-01; see docs/models.md. */
  readonly defaultModel: string | null
}

export const knownProviders: Readonly<Record<string, KnownProvider>> = {
  openai: {
    label: 'OpenAI',
    kind: 'openai',
    endpoint: 'https://api.openai.com/v1',
    endpointVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-6.1-sol',
  },
  anthropic: {
    label: 'Anthropic',
    kind: 'anthropic',
    endpoint: 'https://api.anthropic.com/v1',
    endpointVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    defaultModel: 'claude-sonnet-5-5',
  },
  google: {
    label: 'Google',
    kind: 'google',
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    endpointVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    defaultModel: 'gemini-3.8-flash',
  },
  openrouter: {
    label: 'OpenRouter',
    kind: 'openai_compatible',
    endpoint: 'https://openrouter.ai/api/v1',
    endpointVariable: 'OPENROUTER_BASE_URL',
    keyVariables: ['OPENROUTER_API_KEY'],
    defaultModel: null,
  },
  ollama: {
    label: 'Ollama',
    kind: 'openai_compatible',
    endpoint: 'http://127.0.0.1:11434/v1',
    endpointVariable: 'OLLAMA_HOST',
    keyVariables: [],
    defaultModel: null,
  },
}
