import * as z from 'zod'
import { openaiError, openaiModels } from './openai-shared.ts'
import {
  type Answer,
  type Asked,
  type Complaint,
  complainOfTools,
  pieces,
  type ServerEvent,
  signatureOf,
  type WireFormat,
} from './wire-format.ts'

const contentSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
])

const itemSchema = z.union([
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: contentSchema,
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: z.string().optional(),
    encrypted_content: z.string().nullish(),
    summary: z.array(z.looseObject({ text: z.string() })),
  }),
  z.looseObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string() }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: contentSchema }),
])
type Item = z.output<typeof itemSchema>

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(itemSchema)]),
  tools: z.array(z.looseObject({ type: z.literal('function'), name: z.string() })).optional(),
})

export const openaiResponses: WireFormat = {
  name: 'openai-responses',
  path: /^\/openai\/v1\/responses$/,
  modelsPath: null,
  keyOf: headers => headers.authorization?.replace(/^Bearer /, '') ?? null,
  read,
  whole,
  events,
  error: openaiError,
  errorEvent: message => ({
    event: 'error',
    data: { type: 'error', sequence_number: 1, code: 'server_error', message, param: null },
  }),
  models: openaiModels,
}

function read(body: unknown): Asked | Complaint {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) return { complaint: z.prettifyError(parsed.error) }
  const { model, stream, input, instructions, tools = [] } = parsed.data
  const items: readonly Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const names = tools.map(each => each.name)
  const complaint = complainOfTools(names) ?? complainOfResults(items) ?? complainOfReasoning(items)
  if (complaint) return complaint
  const lastAnswer = items.findLastIndex(isOfModel)
  return {
    model,
    streams: stream === true,
    wantsUsage: true,
    tools: names,
    lastText: items
      .slice(lastAnswer + 1)
      .map(textOf)
      .join('\n'),
    wholeText: [instructions ?? '', ...items.map(textOf)].join('\n'),
  }
}

function isOfModel(item: Item): boolean {
  return 'role' in item
    ? item.role === 'assistant'
    : item.type === 'function_call' || item.type === 'reasoning'
}

function textOf(item: Item): string {
  const content = contentOf(item)
  return typeof content === 'string' ? content : content.map(part => part.text ?? '').join('')
}

function contentOf(item: Item): z.output<typeof contentSchema> {
  if ('role' in item) return item.content as z.output<typeof contentSchema>
  return item.type === 'function_call_output' ? item.output : ''
}

function complainOfResults(items: readonly Item[]): Complaint | null {
  const answered = new Set(
    items.flatMap(item => ('type' in item && item.type === 'function_call_output' ? [item.call_id] : [])),
  )
  const missing = items.find(
    item => 'type' in item && item.type === 'function_call' && !answered.has(item.call_id),
  )
  return missing && 'call_id' in missing
    ? { complaint: `No tool output found for function call ${missing.call_id}.` }
    : null
}

/** Nothing is stored on this server, so an item that came with reasoning is taken back only with it, and unchanged. */
function complainOfReasoning(items: readonly Item[]): Complaint | null {
  const reasoning = new Set<string>()
  for (const item of items) {
    if (!('type' in item)) continue
    if (item.type === 'item_reference')
      return { complaint: `Item with id '${item.id}' not found. Nothing is stored on this server.` }
    if (item.type === 'reasoning') {
      const text = item.summary.map(part => part.text).join('')
      if (item.encrypted_content !== signatureOf(text))
        return { complaint: `Item '${item.id}' of type 'reasoning' could not be verified.` }
      reasoning.add(item.id ?? '')
    }
    const needed = item.type === 'function_call' ? item.call_id.match(/^call_(\d+)r_/)?.[1] : undefined
    if (needed !== undefined && !reasoning.has(`rs_${needed}`))
      return {
        complaint: `Item '${item.call_id}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_${needed}'.`,
      }
  }
  return null
}

function whole(answer: Answer): unknown {
  return { ...response(answer, statusOf(answer)), output: outputOf(answer), usage: usageOf(answer) }
}

function events(answer: Answer): readonly ServerEvent[] {
  const items = outputOf(answer)
  const list: readonly TypedEvent[] = [
    { type: 'response.created', response: response(answer, 'in_progress') },
    { type: 'response.in_progress', response: response(answer, 'in_progress') },
    ...items.flatMap((item, index) => itemEvents(answer, item, index)),
    {
      type: answer.finish === 'length' ? 'response.incomplete' : 'response.completed',
      response: whole(answer),
    },
  ]
  return list.map((data, index) => ({ event: data.type, data: { ...data, sequence_number: index } }))
}

interface TypedEvent {
  readonly type: string
  readonly [field: string]: unknown
}

function itemEvents(
  { reasoning, text, calls }: Answer,
  item: OutputItem,
  output_index: number,
): readonly TypedEvent[] {
  const { id: item_id } = item
  const place = { item_id, output_index }
  const added = (start: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...start },
  })
  const done = { type: 'response.output_item.done', output_index, item }
  if (item.type === 'reasoning')
    return [
      added({ summary: [], encrypted_content: '' }),
      { type: 'response.reasoning_summary_part.added', ...place, summary_index: 0 },
      ...pieces(reasoning).map(delta => ({
        type: 'response.reasoning_summary_text.delta',
        ...place,
        summary_index: 0,
        delta,
      })),
      { type: 'response.reasoning_summary_part.done', ...place, summary_index: 0 },
      done,
    ]
  if (item.type === 'message') {
    const isRefusal = item.content[0]?.type === 'refusal'
    return [
      added({ content: [] }),
      ...pieces(text).map(delta => ({
        type: isRefusal ? 'response.refusal.delta' : 'response.output_text.delta',
        ...place,
        content_index: 0,
        delta,
      })),
      ...(isRefusal ? [{ type: 'response.refusal.done', ...place, content_index: 0, refusal: text }] : []),
      done,
    ]
  }
  const call = calls[item.index]
  return [
    added({ arguments: '' }),
    ...pieces(call?.arguments ?? '').map(delta => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    })),
    { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
    done,
  ]
}

type OutputItem =
  | {
      readonly type: 'reasoning'
      readonly id: string
      readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[]
      readonly encrypted_content: string
    }
  | {
      readonly type: 'message'
      readonly id: string
      readonly role: 'assistant'
      readonly status: string
      readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[]
    }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly index: number
      readonly call_id: string
      readonly name: string
      readonly arguments: string
      readonly status: string
    }

function outputOf({ number, reasoning, text, calls, finish }: Answer): readonly OutputItem[] {
  return [
    ...(reasoning === ''
      ? []
      : [
          {
            type: 'reasoning' as const,
            id: `rs_${number}`,
            summary: [{ type: 'summary_text' as const, text: reasoning }],
            encrypted_content: signatureOf(reasoning),
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            type: 'message' as const,
            id: `msg_${number}`,
            role: 'assistant' as const,
            status: 'completed',
            content: [
              finish === 'refusal'
                ? { type: 'refusal', refusal: text }
                : { type: 'output_text', text, annotations: [] },
            ],
          },
        ]),
    ...calls.map((call, index) => ({
      type: 'function_call' as const,
      id: `fc_${number}_${index}`,
      index,
      call_id: `call_${number}${reasoning === '' ? '' : 'r'}_${index}`,
      name: call.name,
      arguments: call.arguments,
      status: finish === 'length' ? 'incomplete' : 'completed',
    })),
  ]
}

function response({ number, model, finish }: Answer, status: string) {
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1_700_000_000 + number,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: incompleteReason(finish) } : null,
    model,
    output: [],
    usage: null,
  }
}

function statusOf({ finish }: Answer): string {
  return finish === 'length' ? 'incomplete' : 'completed'
}

function incompleteReason(finish: Answer['finish']): string {
  return finish === 'length' ? 'max_output_tokens' : 'content_filter'
}

function usageOf({ usage }: Answer) {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  }
}
