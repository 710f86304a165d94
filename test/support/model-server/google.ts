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

const partSchema = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  functionCall: z
    .looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()).optional() })
    .optional(),
  functionResponse: z
    .looseObject({ name: z.string(), response: z.record(z.string(), z.unknown()) })
    .optional(),
})

const contentSchema = z.object({ role: z.enum(['user', 'model']), parts: z.array(partSchema).min(1) })
type Content = z.output<typeof contentSchema>

const requestSchema = z.looseObject({
  contents: z.array(contentSchema).min(1),
  systemInstruction: z.looseObject({ parts: z.array(partSchema) }).optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
})

const PATH = /^\/google\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/

export const google: WireFormat = {
  name: 'google',
  path: PATH,
  modelsPath: '/google/v1beta/models',
  keyOf: (headers, url) => {
    const key = headers['x-goog-api-key'] ?? url.searchParams.get('key')
    return typeof key === 'string' ? key : null
  },
  read,
  whole,
  events,
  error,
  errorEvent: message => ({ event: null, data: { error: { code: 503, message, status: 'UNAVAILABLE' } } }),
  models: names => ({
    models: names.map(name => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  }),
}

function read(body: unknown, url: URL): Asked | Complaint {
  const [, model = '', method] = url.pathname.match(PATH) ?? []
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) return { complaint: z.prettifyError(parsed.error) }
  const { contents, systemInstruction, tools = [] } = parsed.data
  const names = tools.flatMap(each => each.functionDeclarations ?? []).map(each => each.name)
  const complaint =
    complainOfTools(names) ?? complainOfTurns(contents) ?? complainOfSignatures(model, contents)
  if (complaint) return complaint
  const lastAnswer = contents.findLastIndex(each => each.role === 'model')
  return {
    model,
    streams: method === 'streamGenerateContent',
    wantsUsage: true,
    tools: names,
    lastText: contents
      .slice(lastAnswer + 1)
      .map(textOf)
      .join('\n'),
    wholeText: [...(systemInstruction ? [textOf(systemInstruction)] : []), ...contents.map(textOf)].join(
      '\n',
    ),
  }
}

function textOf({ parts }: Pick<Content, 'parts'>): string {
  return parts
    .map(part => (part.functionResponse ? responseText(part.functionResponse.response) : (part.text ?? '')))
    .join('\n')
}

/** The text of a result as it was said, where it is one. */
function responseText(response: Readonly<Record<string, unknown>>): string {
  const { content } = response
  return typeof content === 'string' ? content : JSON.stringify(response)
}

function complainOfTurns(contents: readonly Content[]): Complaint | null {
  for (const [index, { parts }] of contents.entries()) {
    const calls = parts.filter(part => part.functionCall).length
    const results = (contents[index + 1]?.parts ?? []).filter(part => part.functionResponse).length
    if (calls > 0 && calls !== results)
      return {
        complaint:
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      }
  }
  return null
}

/** Gemini 3 takes the first call of a turn back only with its signature. */
function complainOfSignatures(model: string, contents: readonly Content[]): Complaint | null {
  for (const { role, parts } of contents) {
    const first = parts.find(part => part.functionCall)
    if (role !== 'model' || !first?.functionCall) continue
    const right = signatureOf(JSON.stringify(first.functionCall.args ?? {}))
    if (first.thoughtSignature === undefined && !model.startsWith('gemini-3')) continue
    // What Google documents for calls that came from elsewhere.
    if (first.thoughtSignature === 'skip_thought_signature_validator') continue
    if (first.thoughtSignature !== right)
      return {
        complaint: `Function call \`${first.functionCall.name}\` is missing a valid thought_signature in functionCall parts.`,
      }
  }
  return null
}

function whole(answer: Answer): unknown {
  const { reasoning, text } = answer
  return said(answer, {
    parts: [
      ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
      ...(text === '' ? [] : [{ text }]),
      ...callParts(answer),
    ],
    finish: finishReason(answer),
  })
}

function events(answer: Answer): readonly ServerEvent[] {
  const { reasoning, text } = answer
  const list = [
    ...pieces(reasoning).map(piece => [{ text: piece, thought: true }]),
    ...pieces(text).map(piece => [{ text: piece }]),
    ...callParts(answer).map(part => [part]),
  ].map(parts => said(answer, { parts, finish: null }))
  return [...list, said(answer, { parts: [{ text: '' }], finish: finishReason(answer) })].map(data => ({
    event: null,
    data,
  }))
}

/** Arguments that are no JSON cannot be said in this format: its servers then say that the call was malformed. */
function callParts({ calls }: Answer) {
  return calls.flatMap(({ name, arguments: text }, index) => {
    const args = asObject(text)
    if (args === null) return []
    return [
      {
        functionCall: { name, args },
        ...(index === 0 ? { thoughtSignature: signatureOf(JSON.stringify(args)) } : {}),
      },
    ]
  })
}

function asObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function finishReason({ finish, calls }: Answer): string {
  if (finish === 'length') return 'MAX_TOKENS'
  if (finish === 'refusal') return 'SAFETY'
  if (finish === 'other') return 'OTHER'
  return calls.some(call => asObject(call.arguments) === null) ? 'MALFORMED_FUNCTION_CALL' : 'STOP'
}

function said(
  { number, model, usage }: Answer,
  { parts, finish }: { readonly parts: readonly unknown[]; readonly finish: string | null },
) {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(finish === null ? {} : { finishReason: finish }) },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: model,
    responseId: `response-${number}`,
  }
}

/** A wrong key is no 401 here, and how long to wait stands in the body. */
function error({ kind, status, message }: Refusal) {
  const code = kind === 'key' ? 400 : status
  const details =
    kind === 'key' ? [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }] : []
  return { status: code, body: { error: { code, message, status: statusName(code), details } } }
}

function statusName(code: number): string {
  if (code === 404) return 'NOT_FOUND'
  if (code === 403) return 'PERMISSION_DENIED'
  if (code === 429) return 'RESOURCE_EXHAUSTED'
  if (code === 503) return 'UNAVAILABLE'
  return code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'
}
