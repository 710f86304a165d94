import { describe } from 'vitest'
import { describeProvider } from '../../contracts/provider.ts'

describe('OpenAI, by responses,', () => {
  describeProvider({
    format: 'openai-responses',
    model: 'openai/gpt-6.1-sol',
    environment: ({ openai }, key) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: openai }),
    settings: () => 'providers:\n  openai: { api: responses }\n',
  })
})

describe('Anthropic', () => {
  describeProvider({
    format: 'anthropic',
    model: 'anthropic/claude-sonnet-5-5',
    // As other programs are told: without the version.
    environment: ({ anthropic }, key) => ({
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: anthropic.replace(/\/v1$/, ''),
    }),
  })
})

describe('Google', () => {
  describeProvider({
    format: 'google',
    model: 'google/gemini-3.8-flash',
    environment: ({ google }, key) => ({ GEMINI_API_KEY: key, GOOGLE_GENERATIVE_AI_BASE_URL: google }),
    cannotSay: ['cut arguments'],
  })
})

describe('A server that speaks like OpenAI', () => {
  describeProvider({
    format: 'openai-chat',
    model: 'studio/qwen/qwen3-coder',
    environment: (_, key) => ({ STUDIO_KEY: key }),
    settings: ({ openai }) => `providers:\n  studio: { base-url: ${openai}, key-env: STUDIO_KEY }\n`,
  })
})
