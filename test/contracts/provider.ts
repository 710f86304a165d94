import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ModelCall, ModelHands, Models } from '../../src/application/ports/model.ts'
import type { Failure, Result } from '../../src/domain/failure.ts'
import type { AssistantMessage, Message, OfferedTool } from '../../src/domain/model/message.ts'
import type { ScenarioInput } from '../support/model-server/scenario.ts'
import type { ModelServer } from '../support/model-server/server.ts'
import type { WireFormatName } from '../support/model-server/wire-format.ts'
import { startModelServer } from '../support/model-server.ts'
import { modelsOf } from '../support/models.ts'
import { expectOk } from '../support/result.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export interface ProviderCase {
  readonly format: WireFormatName
  /** The whole name of a model that the scenario lists. */
  readonly model: string
  environment(urls: ModelServer['urls'], key: string): Readonly<Record<string, string>>
  /** What the settings file says, if anything. */
  readonly settings?: (urls: ModelServer['urls']) => string
  /** What its format cannot say. */
  readonly cannotSay?: readonly 'cut arguments'[]
}

const KEY = 'right-key-5f2a91'

const readFile: OfferedTool = {
  name: 'builtin/read_file',
  description: 'Reads a file',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

const start: readonly Message[] = [
  { role: 'system', text: 'You are careful.' },
  { role: 'user', text: 'What is in a.ts?' },
]

const call = { name: 'builtin__read_file', arguments: { path: 'src/a file with a long name.ts' } }

/** What every provider promises, whatever its wire format. */
export function describeProvider(provider: ProviderCase): void {
  const { model, format } = provider
  const bare = model.slice(model.indexOf('/') + 1)

  const said = { text: 'One two three four five six seven. '.repeat(5) }

  async function open(scenario: Omit<ScenarioInput, 'models' | 'key'>, key = KEY) {
    const server = await startModelServer({ models: [bare, `${bare}-mini`], key: KEY, ...scenario })
    const models = await modelsFor(provider, server, key)
    return { server, models }
  }

  it('streams reasoning, text and a call, and takes them back with the result of the call', async () => {
    const { server, models } = await open({
      replies: [
        {
          reasoning: 'A file must be read.',
          text: 'I look: grüß dich 👋.',
          tools: [call],
          usage: { input: 120, output: 30, cached: 100 },
        },
        { when: { contains: 'export const a' }, text: 'A constant.' },
      ],
    })
    const arrived = { text: '', reasoning: '', tool_call: '' }
    const first = expectOk(
      await ask(models, { model, messages: start }, ({ kind, text }) => {
        arrived[kind] += text
      }),
    )

    expect(first.message.isCut).toBe(false)
    expect(first.message.parts).toMatchObject([
      { kind: 'reasoning', text: 'A file must be read.' },
      { kind: 'text', text: 'I look: grüß dich 👋.' },
      { kind: 'tool_call', tool: 'builtin/read_file', input: JSON.stringify(call.arguments) },
    ])
    expect(first.usage).toEqual({ inputTokens: 120, outputTokens: 30, cachedInputTokens: 100 })
    expect(arrived).toEqual({
      reasoning: 'A file must be read.',
      text: 'I look: grüß dich 👋.',
      tool_call: `builtin/read_file ${JSON.stringify(call.arguments)}`,
    })

    // As from the store: only plain JSON comes back.
    const kept: AssistantMessage = JSON.parse(JSON.stringify(first.message))
    const messages: readonly Message[] = [...start, kept, resultsOf(kept, 'export const a = 1')]
    const second = expectOk(await ask(models, { model, messages }))
    expect(second.message.parts).toMatchObject([{ kind: 'text', text: 'A constant.' }])
    expect(server.requests().map(each => [each.format, each.key, each.model])).toEqual(
      Array(2).fill([format, KEY, bare]),
    )
  })

  it('keeps the arguments of a call as they were written, and can say them again', async () => {
    if (provider.cannotSay?.includes('cut arguments')) return
    const { models } = await open({
      replies: [
        { tools: [{ name: 'builtin__read_file', arguments: '{"path": "src/a' }], finish: 'length' },
        { text: 'Once more.' },
      ],
    })
    const { message } = expectOk(await ask(models, { model, messages: start }))
    expect(message).toMatchObject({
      isCut: true,
      parts: [{ kind: 'tool_call', tool: 'builtin/read_file', input: '{"path": "src/a' }],
    })
    const messages = [...start, message, resultsOf(message, 'These arguments are no JSON.', 'as an error')]
    expectOk(await ask(models, { model, messages }))
  })

  it('tells histories that were cut, shortened, or written by another model', async () => {
    const { server, models } = await open({ replies: [{ text: 'Yes.' }] })
    const elsewhere = { model: 'other/model', metadata: { [bare]: { signature: 'of another' } } }
    const messages: readonly Message[] = [
      ...start,
      { role: 'assistant', parts: [{ kind: 'text', text: 'forgotten', opaque: null }], isCut: false },
      { role: 'summary', text: 'So far: nothing.' },
      {
        role: 'tool',
        results: [{ callId: 'gone', tool: 'builtin/read_file', text: 'of before', isError: false }],
      },
      {
        role: 'assistant',
        isCut: true,
        parts: [
          { kind: 'reasoning', text: 'thought elsewhere', opaque: elsewhere },
          { kind: 'text', text: '', opaque: null },
          { kind: 'tool_call', callId: 'c1', tool: 'builtin/read_file', input: '{"pa', opaque: elsewhere },
        ],
      },
      { role: 'user', text: 'Go on.' },
    ]
    expectOk(await ask(models, { model, messages }))
    const body = JSON.stringify(server.requests()[0]?.body)
    for (const said of [
      'So far: nothing.',
      'of before',
      'cut off before it',
      'malformed_arguments',
      'Go on.',
    ])
      expect(body).toContain(said)
    for (const unsaid of ['forgotten', 'thought elsewhere', 'of another']) expect(body).not.toContain(unsaid)
  })

  it('takes an end under an unknown name for an end', async () => {
    const { models } = await open({ replies: [{ ...said, finish: 'other' }] })
    const { message } = expectOk(await ask(models, { model, messages: start }))
    expect(message).toMatchObject({ isCut: false, parts: [{ kind: 'text', text: said.text }] })
  })

  it('ends at once when it is stopped, with what had arrived', async () => {
    const { server, models } = await open({
      replies: [{ ...said, fault: { stall_after: 6 } }],
    })
    const stop = new AbortController()
    const answer = models.call(
      { model, messages: start, tools: [], maxOutputTokens: 100 },
      { signal: stop.signal, onPart: () => stop.abort() },
    )
    const { message } = expectOk(await answer)
    expect(message.isCut).toBe(true)
    expect(message.parts).toMatchObject([{ kind: 'text', text: expect.stringMatching(/^One two/) }])
    expect(await server.requests()[0]?.ended).toBe('left')
  })

  const failures: readonly (readonly [string, ScenarioInput['replies'], Partial<Failure>])[] = [
    [
      'a limit',
      [{ fault: { status: 429, retry_after: 7 } }],
      { code: 'transient', facts: { retry_after_ms: 7000 } },
    ],
    ['an error', [{ fault: { status: 500, message: `I was told ${KEY}` } }], { code: 'transient' }],
    ['an overload', [{ fault: { status: 529 } }], { code: 'transient' }],
    ['a cut connection', [{ ...said, fault: { cut_after: 4 } }], { code: 'transient' }],
    ['a malformed event', [{ ...said, fault: { malformed_after: 4 } }], { code: 'transient' }],
    [
      'an error in the stream',
      [{ ...said, fault: { error_after: 4, message: `Overloaded ${KEY}` } }],
      { code: 'transient' },
    ],
    [
      'too long a history',
      [{ fault: { context_length: true } }],
      { code: 'invalid_input', facts: { reason: 'context_length' } },
    ],
    [
      'a refusal',
      [{ text: 'I cannot help with that.', finish: 'refusal' }],
      { code: 'denied', facts: { reason: 'content_refusal' } },
    ],
    ['a request it does not take', [], { code: 'not_available' }],
  ]

  it.each(failures)('fails as what it is, without the key, at %s', async (_, replies, expected) => {
    const { models } = await open({ replies: replies ?? [] })
    const failure = failureOf(await ask(models, { model, messages: start }))
    expect(failure).toMatchObject(expected)
    expect(JSON.stringify(failure)).not.toContain(KEY)
  })

  it('says which key is wrong, and which models are most like one that is unknown', async () => {
    const { models } = await open({}, 'wrong-key-77c0de')
    const refused = failureOf(await ask(models, { model, messages: start }))
    expect(refused).toMatchObject({ code: 'unauthenticated', message: expect.stringMatching(/_KEY/) })
    expect(JSON.stringify(refused)).not.toContain('wrong-key')

    const { models: right } = await open({})
    const unknown = failureOf(await ask(right, { model: `${model}-mnii`, messages: start }))
    expect(unknown).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`${model}-mini`),
      facts: { candidates: expect.arrayContaining([`${model}-mini`]) },
    })
  })

  it('says when nothing answers', async () => {
    const { server, models } = await open({})
    await server.stop()
    const failure = failureOf(await ask(models, { model, messages: start }))
    expect(failure).toMatchObject({
      code: 'transient',
      message: expect.stringContaining('Nothing answers at'),
    })
  })
}

async function modelsFor({ environment, settings }: ProviderCase, { urls }: ModelServer, key: string) {
  const settingsFile = join(await temporaryFolder(), 'config.yaml')
  if (settings) await writeFile(settingsFile, settings(urls))
  return modelsOf(environment(urls, key), settingsFile)
}

function ask(
  models: Models,
  { model, messages }: Pick<ModelCall, 'model' | 'messages'>,
  onPart: ModelHands['onPart'] = () => {},
) {
  return models.call(
    { model, messages, tools: [readFile], maxOutputTokens: 1000 },
    { signal: new AbortController().signal, onPart },
  )
}

function resultsOf({ parts }: AssistantMessage, text: string, how?: 'as an error'): Message {
  const results = parts.flatMap(part =>
    part.kind === 'tool_call'
      ? [{ callId: part.callId, tool: part.tool, text, isError: how !== undefined }]
      : [],
  )
  return { role: 'tool', results }
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error(`it did not fail: ${JSON.stringify(result.value)}`)
  return result.failure
}
