import * as z from 'zod'
import {
  type Answer,
  type Asked,
  type Complaint,
  complainOfTools,
  pieces,
  type Refusal,
  type ServerEvent,
  signatureOf,
  type WireFormat,
} from './wire-format.ts'

const textSchema = z.looseObject({ type: z.literal('text'), text: z.string() })

const blockSchema = z.discriminatedUnion('type', [
  textSchema,
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    is_error: z.boolean().optional(),
    content: z.union([z.string(), z.array(textSchema)]).optional(),
  }),
])

const messageSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.union([
    z.string().transform(text => [{ type: 'text' as const, text }]),
    z.array(blockSchema).min(1),
  ]),
})
type AnthropicMessage = z.output<typeof messageSchema>

const requestSchema = z.looseObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(textSchema)]).optional(),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
})

export const anthropic: WireFormat = {
  name: 'anthropic',
  path: /^\/anthropic\/v1\/messages$/,
  modelsPath: '/anthropic/v1/models',
  keyOf: headers => {
    const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
    return typeof key === 'string' ? key : null
  },
  read,
  whole,
  events,
  error,
  errorEvent: message => ({
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message } },
  }),
  models: names => ({
    data: names.map(id => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
}

function read(body: unknown): Asked | Complaint {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) return { complaint: z.prettifyError(parsed.error) }
  const { model, stream, messages, system = '', tools = [] } = parsed.data
  const names = tools.map(each => each.name)
  const complaint = complainOfTools(names) ?? complainOfOrder(messages) ?? complainOfThinking(messages)
  if (complaint) return complaint
  const lastAnswer = messages.findLastIndex(each => each.role === 'assistant')
  const systemText = typeof system === 'string' ? system : system.map(part => part.text).join('\n')
  return {
    model,
    streams: stream === true,
    wantsUsage: true,
    tools: names,
    lastText: messages
      .slice(lastAnswer + 1)
      .map(textOf)
      .join('\n'),
    wholeText: [systemText, ...messages.map(textOf)].join('\n'),
  }
}

function textOf({ content }: AnthropicMessage): string {
  return content
    .map(block => {
      if (block.type === 'text') return block.text
      if (block.type !== 'tool_result') return ''
      const { content: result = '' } = block
      return typeof result === 'string' ? result : result.map(part => part.text).join('\n')
    })
    .join('\n')
}

function complainOfOrder(messages: readonly AnthropicMessage[]): Complaint | null {
  if (messages[0]?.role !== 'user') return { complaint: 'messages: first message must use the "user" role' }
  for (const [index, { content }] of messages.entries()) {
    const calls = content.flatMap(block => (block.type === 'tool_use' ? [block.id] : []))
    const results = (messages[index + 1]?.content ?? []).flatMap(block =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    )
    const missing = calls.filter(id => !results.includes(id))
    if (missing.length > 0)
      return {
        complaint: `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}.`,
      }
    const said = content.findIndex(block => block.type === 'text')
    const result = content.findLastIndex(block => block.type === 'tool_result')
    if (said !== -1 && result > said)
      return { complaint: `messages.${index}: \`tool_result\` blocks must come before text` }
    if (content.some(block => block.type === 'text' && block.text.trim() === ''))
      return { complaint: `messages.${index}: text content blocks must be non-empty` }
  }
  return null
}

function complainOfThinking(messages: readonly AnthropicMessage[]): Complaint | null {
  const wrong = messages
    .flatMap(each => each.content)
    .some(block => block.type === 'thinking' && block.signature !== signatureOf(block.thinking))
  return wrong ? { complaint: 'Invalid `signature` in `thinking` block' } : null
}

function whole(answer: Answer): unknown {
  return {
    ...message(answer),
    content: blocksOf(answer).map(({ block }) => block),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: usageOf(answer),
  }
}

function events(answer: Answer): readonly ServerEvent[] {
  const { usage } = answer
  const list = [
    {
      type: 'message_start',
      message: {
        ...message(answer),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usageOf(answer), output_tokens: 1 },
      },
    },
    { type: 'ping' },
    ...blocksOf(answer).flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ]
  return list.map(data => ({ event: data.type, data }))
}

function message({ number, model }: Answer) {
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model }
}

/** Each block whole, as it starts in a stream, and what then arrives of it. */
function blocksOf({ number, reasoning, text, calls }: Answer) {
  return [
    ...(reasoning === ''
      ? []
      : [
          {
            block: { type: 'thinking', thinking: reasoning, signature: signatureOf(reasoning) },
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...pieces(reasoning).map(thinking => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: signatureOf(reasoning) },
            ],
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            block: { type: 'text', text },
            start: { type: 'text', text: '' },
            deltas: pieces(text).map(piece => ({ type: 'text_delta', text: piece })),
          },
        ]),
    ...calls.map((call, index) => {
      const head = { type: 'tool_use', id: `toolu_${number}_${index}`, name: call.name }
      return {
        block: { ...head, input: asObject(call.arguments) },
        start: { ...head, input: {} },
        deltas: pieces(call.arguments).map(partial_json => ({ type: 'input_json_delta', partial_json })),
      }
    }),
  ]
}

/** What is no JSON can be said only in a stream. */
function asObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function stopReason({ finish, calls }: Answer): string {
  if (finish === 'length') return 'max_tokens'
  if (finish === 'refusal') return 'refusal'
  if (finish === 'other') return 'end_of_stream'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

/** Anthropic counts what was read from the cache apart from the other input. */
function usageOf({ usage }: Answer) {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
  }
}

function error({ kind, status, message }: Refusal) {
  return { status, body: { type: 'error', error: { type: errorType(kind, status), message } } }
}

function errorType(kind: Refusal['kind'], status: number): string {
  if (kind === 'key') return 'authentication_error'
  if (kind === 'model') return 'not_found_error'
  if (status === 429) return 'rate_limit_error'
  if (status === 529) return 'overloaded_error'
  return status >= 500 ? 'api_error' : 'invalid_request_error'
}
