import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import {
  type Fault,
  readScenario,
  replyChooser,
  type Scenario,
  type ScenarioInput,
  type ScenarioReply,
} from './scenario.ts'
import type { Answer, Asked, Refusal, ServerEvent, WireFormat, WireFormatName } from './wire-format.ts'

const formats: readonly WireFormat[] = [openaiChat, openaiResponses, anthropic, google]

export interface ModelServer {
  /** Where each provider's package is told to send its requests. */
  readonly urls: { readonly openai: string; readonly anthropic: string; readonly google: string }
  /** What it lists; any other model is unknown to it. */
  readonly models: readonly string[]
  /** Every request for an answer so far, in the order of arrival. */
  requests(): readonly RecordedRequest[]
  stop(): Promise<void>
}

export interface RecordedRequest {
  readonly number: number
  readonly format: WireFormatName
  readonly model: string
  readonly key: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of four formats
  readonly body: any
  /** How it went: `left` is a client that went away before the end. */
  readonly ended: Promise<'answered' | 'refused' | 'cut' | 'left'>
}

/** On a free port of 127.0.0.1. `onRequest`: told of each request when it has been answered, for people who watch. */
export async function serveModels(
  given: ScenarioInput | string,
  onRequest: (line: string) => void = () => {},
): Promise<ModelServer> {
  const scenario = readScenario(given)
  const requests: RecordedRequest[] = []
  const choose = replyChooser(scenario)
  const server = createServer((request, response) => {
    answer(request, response).catch(error => {
      onRequest(`failed: ${error}`)
      response.destroy()
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const format = formats.find(each =>
      request.method === 'POST' ? each.path.test(url.pathname) : each.modelsPath === url.pathname,
    )
    if (!format) return sendJson(response, 404, { error: { message: `Nothing is at ${url.pathname}.` } })
    const key = format.keyOf(request.headers, url)
    const isRightKey = scenario.key === undefined || key === scenario.key
    if (request.method !== 'POST') {
      if (!isRightKey) return refuse(response, format, wrongKey)
      return sendJson(response, 200, format.models(scenario.models))
    }
    const body: unknown = await readJson(request)
    const { promise: ended, resolve: end } = Promise.withResolvers<Awaited<RecordedRequest['ended']>>()
    const number = requests.length + 1
    const asked = format.read(body, url)
    const model = 'complaint' in asked ? '' : asked.model
    requests.push({ number, format: format.name, model, key, body, ended })
    const chosen = isRightKey ? decide(scenario, asked, each => choose(each, number)) : wrongKey
    onRequest(`${number} ${format.name} ${model}: ${summaryOf(chosen)}`)
    if ('kind' in chosen) {
      refuse(response, format, chosen)
      return end('refused')
    }
    const { reply } = chosen
    const brokenOff = reply.fault.cut_after === undefined ? 'left' : 'cut'
    response.on('close', () => end(response.writableFinished ? 'answered' : brokenOff))
    const said = asAnswer(reply, chosen.asked, number)
    const say = chosen.asked.streams ? stream : sendWhole
    await say(response, format, said, reply.fault)
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const base = `http://127.0.0.1:${address.port}`
  return {
    models: scenario.models,
    urls: {
      openai: `${base}/openai/v1`,
      anthropic: `${base}/anthropic/v1`,
      google: `${base}/google/v1beta`,
    },
    requests: () => [...requests],
    stop: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

const wrongKey: Refusal = {
  kind: 'key',
  status: 401,
  message: 'API key not valid. Please pass a valid API key.',
}

interface Chosen {
  readonly reply: ScenarioReply
  readonly asked: Asked
}

type Refused = Refusal & { readonly retryAfter?: number | undefined }

/** A reply, or why there is none. */
function decide(
  { models, context_tokens }: Scenario,
  asked: Asked | { readonly complaint: string },
  choose: (asked: Asked) => ScenarioReply | null,
): Chosen | Refused {
  if ('complaint' in asked) return { kind: 'invalid', status: 400, message: asked.complaint }
  if (!models.includes(asked.model))
    return { kind: 'model', status: 404, message: `The model '${asked.model}' does not exist.` }
  const tokens = Math.ceil(asked.wholeText.length / 4)
  if (context_tokens !== undefined && tokens > context_tokens) return tooLong(tokens, context_tokens)
  const reply = choose(asked)
  if (!reply)
    return {
      kind: 'invalid',
      status: 400,
      message: `The scenario has no reply for this request. Last was said: ${asked.lastText.slice(-300)}`,
    }
  const { status, message, context_length, retry_after } = reply.fault
  if (context_length) return tooLong(tokens, Math.max(1, tokens - 1))
  if (status === undefined) return { reply, asked }
  return {
    kind: 'status',
    status,
    message: message ?? `The scenario says ${status}.`,
    retryAfter: retry_after,
  }
}

/** In words that any of the providers uses. */
function tooLong(tokens: number, most: number): Refusal {
  return {
    kind: 'context_length',
    status: 400,
    message: `prompt is too long: ${tokens} tokens > ${most} maximum. This model's maximum context length is ${most} tokens.`,
  }
}

function asAnswer(reply: ScenarioReply, asked: Asked, number: number): Answer {
  const calls = reply.tools.map(({ name, arguments: given }) => ({
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }))
  const written = [reply.reasoning, reply.text, ...calls.map(call => call.arguments)].join('')
  const { input, output, cached = 0 } = reply.usage
  return {
    number,
    model: asked.model,
    reasoning: reply.reasoning,
    text: reply.text,
    calls,
    usage: {
      input: input ?? Math.ceil(asked.wholeText.length / 4),
      output: output ?? Math.ceil(written.length / 4),
      cached,
    },
    finish: reply.finish,
    saysUsage: asked.wantsUsage,
  }
}

async function stream(
  response: ServerResponse,
  format: WireFormat,
  answer: Answer,
  fault: Fault,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  for (const [index, event] of format.events(answer).entries()) {
    if (fault.slow_ms !== undefined) await wait(fault.slow_ms)
    if (response.destroyed || index === fault.stall_after) return
    if (index === fault.cut_after) return void response.destroy()
    if (index === fault.malformed_after) response.write('data: {"this is no JSON\n\n')
    if (index === fault.error_after) {
      response.end(asLines(format.errorEvent(fault.message ?? 'Overloaded')))
      return
    }
    response.write(asLines(event))
  }
  response.end()
}

function asLines({ event, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

async function sendWhole(
  response: ServerResponse,
  format: WireFormat,
  answer: Answer,
  fault: Fault,
): Promise<void> {
  if (fault.slow_ms !== undefined) await wait(fault.slow_ms)
  if (fault.stall_after !== undefined) return
  if (fault.cut_after !== undefined) response.destroy()
  else if (fault.malformed_after !== undefined) response.end('{"this is no JSON')
  else sendJson(response, 200, format.whole(answer))
}

function refuse(response: ServerResponse, format: WireFormat, refusal: Refused): void {
  const { status, body } = format.error(refusal)
  if (refusal.retryAfter !== undefined) response.setHeader('retry-after', String(refusal.retryAfter))
  sendJson(response, status, body)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return null
  }
}

function summaryOf(chosen: Chosen | Refused): string {
  if ('kind' in chosen) return `${chosen.status} ${chosen.message}`
  const { text, tools } = chosen.reply
  return (
    [...(text === '' ? [] : [text.split('\n', 1)[0]]), ...tools.map(tool => tool.name)].join(', ') ||
    'says nothing'
  )
}
