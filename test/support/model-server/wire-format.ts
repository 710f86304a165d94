import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What one provider's way of speaking adds to the server. One file a format beside this one. */
export interface WireFormat {
  readonly name: WireFormatName
  /** Of a POST, below the server's address. */
  readonly path: RegExp
  /** Of a GET that lists the models; null where another format of the same provider answers it. */
  readonly modelsPath: string | null
  keyOf(headers: IncomingHttpHeaders, url: URL): string | null
  /** What is asked, or why the provider would not take it: its rules for who speaks when are kept here too. */
  read(body: unknown, url: URL): Asked | Complaint
  whole(answer: Answer): unknown
  events(answer: Answer): readonly ServerEvent[]
  error(refusal: Refusal): { readonly status: number; readonly body: unknown }
  /** An error inside a stream that began well. */
  errorEvent(message: string): ServerEvent
  models(names: readonly string[]): unknown
}

export type WireFormatName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google'

export interface Asked {
  readonly model: string
  readonly streams: boolean
  readonly wantsUsage: boolean
  readonly tools: readonly string[]
  readonly lastText: string
  readonly wholeText: string
}

export interface Complaint {
  readonly complaint: string
}

/** A reply of the scenario, ready to be said to one request. */
export interface Answer {
  /** Of the request, from 1. It makes every id in the answer, so that equal runs get equal answers. */
  readonly number: number
  readonly model: string
  readonly reasoning: string
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number }
  readonly finish: 'stop' | 'length' | 'refusal' | 'other'
  readonly saysUsage: boolean
}

export interface ServerEvent {
  /** Of the line `event:`; null for none. */
  readonly event: string | null
  readonly data: unknown
}

export interface Refusal {
  readonly kind: 'key' | 'model' | 'context_length' | 'invalid' | 'status'
  readonly status: number
  readonly message: string
}

/** Small enough that a stream has several; whole characters only. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? []
}

/** What the provider wants back unchanged with what was reasoned. */
export function signatureOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

const NAME_OF_TOOL = /^[a-zA-Z0-9_-]{1,64}$/

export function complainOfTools(names: readonly string[]): Complaint | null {
  const wrong = names.find(name => !NAME_OF_TOOL.test(name))
  return wrong === undefined
    ? null
    : { complaint: `Invalid tool name '${wrong}': it must match ${NAME_OF_TOOL.source}` }
}
