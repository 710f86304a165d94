/** The interface that all provider packages implement, under short names. */
import type { createOpenAI } from '@ai-sdk/openai'

export type LanguageModel = ReturnType<ReturnType<typeof createOpenAI>['responses']>
export type CallOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
export type PromptMessage = Prompt[number]
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>
