import { APICallError } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure, Result } from '../../../src/domain/failure.ts'
import { type Asking, callModel } from '../../../src/infrastructure/models/call-model.ts'
import { failureOfEnd, failureOfError } from '../../../src/infrastructure/models/failures.ts'
import { readProviders } from '../../../src/infrastructure/models/providers.ts'
import { startModelServer } from '../../support/model-server.ts'

const KEY = 'kq7-secret-19'

function asking(idleMs = 1000, endpoint = 'http://127.0.0.1:9/v1'): Asking {
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: endpoint }
  const provider = readProviders({ env, settingsFile: '/none' }).list.find(each => each.name === 'openai')
  if (!provider) throw new Error('there is no OpenAI')
  return { provider, key: KEY, model: 'm', idleMs }
}

function apiError(
  status: number,
  more: { message?: string; body?: string; headers?: Record<string, string> },
) {
  return new APICallError({
    message: more.message ?? 'no',
    url: 'http://127.0.0.1:9/v1',
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: more.headers ?? {},
    responseBody: more.body ?? '',
  })
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('it did not fail')
  return result.failure
}

describe('a failure of a call', () => {
  it('never holds the key, whatever a server or the network says', () => {
    const words = fc
      .array(fc.oneof(fc.string(), fc.constant(KEY), fc.constant(`Bearer ${KEY}`)))
      .map(all => all.join(' '))
    const error = fc.oneof(
      fc
        .record({ status: fc.integer({ min: 200, max: 599 }), message: words, body: words })
        .map(({ status, ...more }) => apiError(status, more)),
      fc.record({ type: words, message: words }),
      words.map(message => new TypeError(message, { cause: new Error(message) })),
      words,
    )
    fc.assert(
      fc.property(error, each => {
        expect(JSON.stringify(failureOfError(asking(), each))).not.toContain(KEY)
      }),
    )
    const reply = {
      message: {
        role: 'assistant',
        parts: [{ kind: 'text', text: `No: ${KEY}`, opaque: null }],
        isCut: true,
      },
      usage: { inputTokens: null, outputTokens: null, cachedInputTokens: null },
    } as const
    const refused = failureOfEnd(asking(), { unified: 'content-filter', raw: undefined }, reply)
    expect(failureOf(refused).message).toContain('No: [key]')
  })

  it.each([
    [{ 'retry-after': '2' }, '', 2000],
    [{ 'retry-after-ms': '150' }, '', 150],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, '', 0],
    [{}, '{"details": [{"retryDelay": "3.5s"}]}', 3500],
    [{ 'retry-after': 'soon' }, '', undefined],
  ])('says how long to wait by %j and %j', (headers, body, expected) => {
    const { code, facts } = failureOf(failureOfError(asking(), apiError(429, { headers, body })))
    expect([code, facts['retry_after_ms']]).toEqual(['transient', expected])
  })

  it.each([
    [429, 'You exceeded your current quota (insufficient_quota)', 'denied', 'credit'],
    [400, "This model's maximum context length is 8 tokens", 'invalid_input', 'context_length'],
    [413, 'Request too large', 'invalid_input', 'context_length'],
    [400, 'model "x" not found, try pulling it first', 'not_found', 'model'],
    [400, 'temperature is not supported', 'not_available', undefined],
    [403, 'forbidden', 'unauthenticated', undefined],
  ])('is, with status %i and %j, %s', (status, message, code, reason) => {
    const failure = failureOf(failureOfError(asking(), apiError(status, { message })))
    expect([failure.code, failure.facts['reason']]).toEqual([code, reason])
  })

  it('comes when the server says nothing for too long, before its answer or in the middle', async () => {
    const server = await startModelServer({
      models: ['m'],
      replies: [
        { text: 'never', fault: { stall_after: 0 } },
        { text: 'Half of an answer.', fault: { stall_after: 2 } },
      ],
    })
    for (const _ of ['before', 'in the middle']) {
      const failure = failureOf(
        await callModel(
          asking(60, server.urls.openai),
          { model: 'openai/m', messages: [{ role: 'user', text: 'Well?' }], tools: [], maxOutputTokens: 9 },
          { signal: new AbortController().signal, onPart: () => {} },
        ),
      )
      expect(failure).toMatchObject({ code: 'transient', facts: { reason: 'idle' } })
      expect(failure.message).toContain('model.idle-seconds')
    }
  })
})
