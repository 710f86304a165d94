import { APICallError } from 'ai'
import * as z from 'zod'
import type { ModelReply } from '../../application/ports/model.ts'
import { type FailureCode, type Result, refuse } from '../../domain/failure.ts'
import { textOf } from '../../domain/model/message.ts'
import { redact } from '../../domain/redact.ts'
import type { Asking } from './call-model.ts'

/** What a provider's error means for us. */
interface Meaning {
  readonly code: FailureCode
  readonly sentence: string
  readonly facts?: Record<string, unknown>
}

/** Every way in which one try can fail. Another try is the loop's; so is asking the server for its list of models. */
export function failureOfError(asking: Asking, error: unknown): Result<never> {
  const facts = factsOf(error)
  return told(asking, meaningOf(asking, facts), facts)
}

/** The stream ended, and not as an answer does. */
export function failureOfEnd(
  asking: Asking,
  finish: { readonly unified: string; readonly raw: string | undefined } | null,
  reply: ModelReply,
): Result<never> {
  const { label } = asking.provider
  if (finish?.unified === 'content-filter') {
    const words = textOf(reply.message).trim()
    return told(asking, {
      code: 'denied',
      sentence: `${asking.model} declines to answer${words === '' ? '' : `: ${words}`}. Put the task in other words, or use another model.`,
      facts: { reason: 'content_refusal' },
    })
  }
  if (finish?.raw === 'MALFORMED_FUNCTION_CALL')
    return told(asking, {
      code: 'transient',
      sentence: `${asking.model} wrote a call of a tool that ${label} could not read.`,
    })
  return told(asking, { code: 'transient', sentence: `${label} ended the answer before it was whole.` })
}

export function saidNothing(asking: Asking, idleMs: number): Result<never> {
  return told(asking, {
    code: 'transient',
    sentence: `${asking.provider.label} said nothing for ${idleMs / 1000} seconds (model.idle-seconds).`,
    facts: { reason: 'idle' },
  })
}

/** The key is in no failure, whatever a server says. */
function told({ provider, model, key }: Asking, meaning: Meaning, facts: ErrorFacts | null = null) {
  const clean = (text: string) => redact(key === null ? text : text.replaceAll(key, '[key]')).value
  return refuse(meaning.code, clean(meaning.sentence), {
    provider: provider.name,
    model: `${provider.name}/${model}`,
    ...(facts?.status === null || facts === null ? {} : { status: facts.status }),
    ...meaning.facts,
  })
}

interface ErrorFacts {
  readonly status: number | null
  /** Of the transport, e.g. ECONNREFUSED. */
  readonly code: string | null
  readonly message: string
  readonly body: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

const streamErrorSchema = z.looseObject({
  statusCode: z.number().optional(),
  message: z.string().optional(),
  type: z.string().optional(),
  error: z
    .looseObject({ message: z.string().optional(), code: z.unknown(), type: z.string().optional() })
    .optional(),
})

function factsOf(error: unknown): ErrorFacts {
  const none = { status: null, code: transportCode(error), body: '', headers: {} }
  if (APICallError.isInstance(error)) {
    const { statusCode, message, responseBody = '', responseHeaders = {} } = error
    // A stream that broke began with status 200.
    const status = statusCode !== undefined && statusCode >= 400 ? statusCode : null
    return { ...none, status, message, body: responseBody, headers: responseHeaders }
  }
  const parsed = streamErrorSchema.safeParse(error)
  const inner = parsed.success ? (parsed.data.error ?? parsed.data) : {}
  const status = parsed.success ? statusIn(parsed.data) : null
  const message = typeof inner.message === 'string' ? inner.message : String(error)
  return { ...none, status, message, body: safeJson(error) }
}

function statusIn({ statusCode, error }: z.output<typeof streamErrorSchema>): number | null {
  if (statusCode !== undefined) return statusCode
  return typeof error?.code === 'number' && error.code >= 400 ? error.code : null
}

function safeJson(error: unknown): string {
  if (error instanceof Error) return ''
  try {
    return JSON.stringify(error) ?? ''
  } catch {
    return ''
  }
}

/** The innermost code: a failed fetch wraps it, several deep. */
function transportCode(error: unknown): string | null {
  let found: string | null = null
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++)
    if ('code' in at && typeof at.code === 'string') found = at.code
  return found
}

const TOO_LONG =
  /context_length_exceeded|prompt is too long|maximum context length|context (?:length|window|size)|input token count.{0,40}exceeds|too many (?:input )?tokens/i
const UNKNOWN_MODEL =
  /model_not_found|model.{0,80}(?:not found|does ?n[o']t exist|is not supported|not exist)|not_found_error/is
const WRONG_KEY = /API_KEY_INVALID|invalid_api_key|api key not valid|authentication_error|incorrect api key/i
const NO_CREDIT = /insufficient_quota|credit balance is too low|billing/i
const OVERLOADED = /overloaded|rate.?limit|server_error|unavailable|try again|timed? ?out/i

function meaningOf({ provider, model }: Asking, facts: ErrorFacts): Meaning {
  const { label, name, endpoint } = provider
  const { status, code, message } = facts
  const all = `${message}\n${facts.body}`
  if (status === 401 || status === 403 || WRONG_KEY.test(all)) return keyRefused(provider, message)
  if (status === 413 || (status !== 429 && TOO_LONG.test(all)))
    return {
      code: 'invalid_input',
      sentence: `The history is too long for ${name}/${model}: ${message}`,
      facts: { reason: 'context_length' },
    }
  if (status === 404 || (status === 400 && UNKNOWN_MODEL.test(all)))
    return {
      code: 'not_found',
      sentence: `${label} at ${endpoint} has no model ${model}: ${message}`,
      facts: { reason: 'model' },
    }
  if (NO_CREDIT.test(all) && status !== null && status < 500)
    return {
      code: 'denied',
      sentence: `${label} has no credit left for this key: ${message}`,
      facts: { reason: 'credit' },
    }
  const isPassing = status === null ? true : status >= 500 || [408, 409, 425, 429].includes(status)
  if (isPassing || OVERLOADED.test(all)) {
    const wait = retryAfterMs(facts)
    return {
      code: 'transient',
      sentence: passing(provider, { status, code, message }),
      facts: wait === null ? {} : { retry_after_ms: wait },
    }
  }
  return { code: 'not_available', sentence: `${label} does not take this request for ${model}: ${message}` }
}

function keyRefused({ label, keyFrom }: Asking['provider'], message: string): Meaning {
  const sentence =
    keyFrom === null
      ? `${label} wants a key, and none is configured for it: ${message}`
      : `${label} refuses the key from ${keyFrom}: ${message}`
  return { code: 'unauthenticated', sentence, facts: { key_from: keyFrom } }
}

function passing(
  { label, endpoint }: Asking['provider'],
  { status, code, message }: Pick<ErrorFacts, 'status' | 'code' | 'message'>,
): string {
  if (status !== null) return `${label} cannot answer at the moment (${status}): ${message}`
  if (code === 'ECONNREFUSED') return `Nothing answers at ${endpoint}. Is the server of ${label} running?`
  return `The connection to ${label} at ${endpoint} failed: ${code ?? message}`
}

/** Headers in milliseconds, in seconds or as a date; Google says it in the body. */
function retryAfterMs({ headers, body }: ErrorFacts): number | null {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && exact >= 0) return Math.round(exact)
  const after = headers['retry-after']
  if (after !== undefined) {
    const seconds = Number(after)
    const ms = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1000
    if (!Number.isNaN(ms)) return Math.max(0, Math.round(ms))
  }
  const delay = body.match(/"retryDelay":\s*"(\d+(?:\.\d+)?)s"/)?.[1]
  return delay === undefined ? null : Math.round(Number(delay) * 1000)
}
