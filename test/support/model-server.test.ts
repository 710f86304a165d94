import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, type LanguageModel, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { fencesIn, readGuide } from './markdown.ts'
import { readScenario } from './model-server/scenario.ts'
import type { ModelServer } from './model-server/server.ts'
import { startModelServer } from './model-server.ts'

const apiKey = 'right'

const formats: Record<string, (urls: ModelServer['urls'], key?: string) => LanguageModel> = {
  'openai-chat': (urls, key = apiKey) => createOpenAI({ baseURL: urls.openai, apiKey: key }).chat('gpt-test'),
  'openai-responses': (urls, key = apiKey) =>
    createOpenAI({ baseURL: urls.openai, apiKey: key }).responses('gpt-test'),
  'openai-compatible': (urls, key = apiKey) =>
    createOpenAICompatible({ name: 'local', baseURL: urls.openai, apiKey: key, includeUsage: true })(
      'gpt-test',
    ),
  anthropic: (urls, key = apiKey) => createAnthropic({ baseURL: urls.anthropic, apiKey: key })('gpt-test'),
  google: (urls, key = apiKey) => createGoogle({ baseURL: urls.google, apiKey: key })('gpt-test'),
}

const read = {
  description: 'Reads',
  inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
}

const plain = {
  tools: { read },
  maxRetries: 0,
  maxOutputTokens: 100,
  providerOptions: { openai: { store: false } },
}

const answer = {
  reasoning: 'It is a question about a file.',
  text: 'I look at the file first: grüß dich 👋.',
  tools: [{ name: 'read', arguments: { path: 'src/a file with a long name.ts' } }],
  usage: { input: 120, output: 30, cached: 100 },
}

describe.each(Object.entries(formats))('The model server, to the package for %s,', (name, modelOf) => {
  it('says one answer in a stream and at once, and takes it back with the result of its call', async () => {
    const server = await startModelServer({
      models: ['gpt-test'],
      key: apiKey,
      replies: [answer, answer, { when: { contains: 'the text of the file' }, text: 'Done.' }],
    })
    const model = modelOf(server.urls)

    const streamed = streamText({ ...plain, model, prompt: 'Look' })
    const whole = await generateText({ ...plain, model, prompt: 'Look' })
    const last = await generateText({
      ...plain,
      model,
      messages: [
        { role: 'user', content: 'Look' },
        ...whole.response.messages,
        {
          role: 'tool',
          content: whole.toolCalls.map(({ toolCallId, toolName }) => ({
            type: 'tool-result' as const,
            toolCallId,
            toolName,
            output: { type: 'text' as const, value: 'the text of the file' },
          })),
        },
      ],
    })

    for (const result of [whole, streamed]) {
      const [text, reasoningText, toolCalls, usage] = await Promise.all([
        result.text,
        result.reasoningText,
        result.toolCalls,
        result.usage,
      ])
      expect(text).toBe(answer.text)
      expect(reasoningText).toBe(name === 'openai-chat' ? undefined : answer.reasoning)
      expect(toolCalls).toMatchObject([{ toolName: 'read', input: answer.tools[0]?.arguments }])
      expect(usage).toMatchObject({
        inputTokens: 120,
        outputTokens: 30,
        inputTokenDetails: { cacheReadTokens: 100 },
      })
    }
    expect(last.text).toBe('Done.')
    expect(server.requests().map(each => each.key)).toEqual(['right', 'right', 'right'])
    expect(await Promise.all(server.requests().map(each => each.ended))).toEqual(Array(3).fill('answered'))
  })

  it('refuses with what the provider would say', async () => {
    const refused = { text: 'never said' }
    const server = await startModelServer({
      models: ['gpt-test'],
      key: apiKey,
      replies: [
        { ...refused, fault: { status: 429, retry_after: 7, message: 'Slow down' } },
        { ...refused, fault: { status: 500 } },
        { ...refused, fault: { context_length: true } },
      ],
    })
    const failure = async (key?: string) =>
      generateText({ ...plain, model: modelOf(server.urls, key), prompt: 'Look' }).then(
        () => null,
        error => error,
      )
    expect(await failure('wrong')).toMatchObject({ message: expect.stringContaining('API key not valid') })
    expect(await failure()).toMatchObject({
      statusCode: 429,
      message: 'Slow down',
      isRetryable: true,
      responseHeaders: { 'retry-after': '7' },
    })
    expect(await failure()).toMatchObject({ statusCode: 500 })
    expect(await failure()).toMatchObject({ message: expect.stringContaining('too long') })
    expect(await failure()).toMatchObject({ message: expect.stringContaining('has no reply') })
  })
})

describe('A scenario', () => {
  it.each([
    ['the guide', fencesIn(readGuide('docs/model-server.md')).find(each => each.language === 'yaml')?.text],
    ['the example', readGuide('test/support/model-server/example.yaml')],
  ])('of %s can be played', (_, text) => {
    expect(readScenario(text ?? '').replies.length).toBeGreaterThan(2)
  })

  it('tells where its text is wrong', async () => {
    await expect(startModelServer('replies:\n  - txet: Hello\n')).rejects.toThrow('scenario:2:5')
  })
})
