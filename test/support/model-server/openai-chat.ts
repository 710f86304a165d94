import * as z from 'zod'
import { openaiError, openaiModels } from './openai-shared.ts'
import {
  type Answer,
  type Asked,
  type Complaint,
  complainOfTools,
  pieces,
  type ServerEvent,
  type WireFormat,
} from './wire-format.ts'

const contentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
])

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: contentSchema }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string(),
          type: z.literal('function'),
          function: z.object({ name: z.string(), arguments: z.string() }),
        }),
      )
      .optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: contentSchema }),
])

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  messages: z.array(messageSchema).min(1),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }))
    .optional(),
})
type ChatMessage = z.output<typeof messageSchema>

export const openaiChat: WireFormat = {
  name: 'openai-chat',
  path: /^\/openai\/v1\/chat\/completions$/,
  modelsPath: '/openai/v1/models',
  keyOf: headers => headers.authorization?.replace(/^Bearer /, '') ?? null,
  read,
  whole,
  events,
  error: openaiError,
  errorEvent: message => ({
    event: null,
    data: { error: { message, type: 'server_error', param: null, code: null } },
  }),
  models: openaiModels,
}

function read(body: unknown): Asked | Complaint {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) return { complaint: z.prettifyError(parsed.error) }
  const { model, stream, stream_options, messages, tools = [] } = parsed.data
  const names = tools.map(each => each.function.name)
  const complaint = complainOfTools(names) ?? complainOfResults(messages)
  if (complaint) return complaint
  const lastAnswer = messages.findLastIndex(each => each.role === 'assistant')
  return {
    model,
    streams: stream === true,
    wantsUsage: stream !== true || stream_options?.include_usage === true,
    tools: names,
    lastText: messages
      .slice(lastAnswer + 1)
      .map(textOf)
      .join('\n'),
    wholeText: messages.map(textOf).join('\n'),
  }
}

function textOf({ content }: ChatMessage): string {
  if (content === null || content === undefined) return ''
  return typeof content === 'string' ? content : content.map(part => part.text ?? '').join('')
}

function complainOfResults(messages: readonly ChatMessage[]): Complaint | null {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || !message.tool_calls) continue
    const rest = messages.slice(index + 1)
    const end = rest.findIndex(each => each.role !== 'tool')
    const answered = rest
      .slice(0, end === -1 ? rest.length : end)
      .flatMap(each => (each.role === 'tool' ? [each.tool_call_id] : []))
    const missing = message.tool_calls.filter(call => !answered.includes(call.id))
    if (missing.length > 0)
      return {
        complaint: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.map(call => call.id).join(', ')}`,
      }
  }
  return null
}

function whole(answer: Answer): unknown {
  const { reasoning, text, calls, finish } = answer
  return {
    ...head(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: finish === 'refusal' || (text === '' && calls.length > 0) ? null : text,
          refusal: finish === 'refusal' ? text : null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map((_, index) => wholeCall(answer, index)) }),
        },
        logprobs: null,
        finish_reason: finishReason(answer),
      },
    ],
    usage: usageOf(answer),
  }
}

function events(answer: Answer): readonly ServerEvent[] {
  const { reasoning, text, calls, finish } = answer
  return [
    choice(answer, { role: 'assistant', content: '' }),
    ...pieces(reasoning).map(piece => choice(answer, { reasoning_content: piece })),
    ...pieces(text).map(piece =>
      choice(answer, finish === 'refusal' ? { refusal: piece } : { content: piece }),
    ),
    ...calls.flatMap((call, index) => [
      choice(answer, {
        tool_calls: [{ ...wholeCall(answer, index), index, function: { name: call.name, arguments: '' } }],
      }),
      ...pieces(call.arguments).map(piece =>
        choice(answer, { tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    choice(answer, {}, finishReason(answer)),
    ...(answer.saysUsage
      ? [
          {
            event: null,
            data: { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) },
          },
        ]
      : []),
    { event: null, data: '[DONE]' },
  ]
}

function head({ number, model }: Answer, object: string) {
  return { id: `chatcmpl-${number}`, object, created: 1_700_000_000 + number, model }
}

function choice(answer: Answer, delta: unknown, finish: string | null = null): ServerEvent {
  return {
    event: null,
    data: {
      ...head(answer, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    },
  }
}

function wholeCall({ number, calls }: Answer, index: number) {
  return { id: `call_${number}_${index}`, type: 'function', function: calls[index] }
}

function finishReason({ finish, calls }: Answer): string {
  if (finish === 'length') return 'length'
  if (finish === 'refusal') return 'content_filter'
  if (finish === 'other') return 'eos'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function usageOf({ usage }: Answer) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}
