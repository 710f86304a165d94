import type { ModelHands, ModelReply } from '../../application/ports/model.ts'
import type { AssistantPart } from '../../domain/model/message.ts'
import type { Usage } from '../../domain/model/usage.ts'
import type { StreamPart } from './language-model.ts'
import { opaqueOf } from './to-prompt.ts'
import type { ToolNames } from './tool-names.ts'

export interface Gathering {
  /** Takes one part of the stream. */
  take(part: StreamPart): void
  /** What has arrived so far, cut or whole. */
  reply(isCut: boolean): ModelReply
  /** How the provider ended it; null while it has not. */
  finish(): Extract<StreamPart, { type: 'finish' }>['finishReason'] | null
  /** What the provider says went wrong inside the stream. */
  error(): { readonly cause: unknown } | null
}

interface Draft {
  readonly kind: AssistantPart['kind']
  readonly key: string
  readonly tool: string
  text: string
  metadata: Readonly<Record<string, unknown>> | undefined
}

/** Puts the parts of a stream together. A call's arguments are kept as they were written, also where they are no JSON. */
export function gatherReply(model: string, names: ToolNames, onPart: ModelHands['onPart']): Gathering {
  const drafts: Draft[] = []
  let usage: Usage = { inputTokens: null, outputTokens: null, cachedInputTokens: null }
  let finish: ReturnType<Gathering['finish']> = null
  let error: ReturnType<Gathering['error']> = null

  function draft(kind: Draft['kind'], key: string, tool = ''): Draft {
    const open = drafts.find(each => each.kind === kind && each.key === key)
    if (open) return open
    const made: Draft = { kind, key, tool, text: '', metadata: undefined }
    drafts.push(made)
    return made
  }

  function add(kind: Draft['kind'], part: { id: string; delta?: string; providerMetadata?: unknown }): void {
    const open = draft(kind, part.id)
    noteMetadata(open, part.providerMetadata)
    if (!part.delta) return
    open.text += part.delta
    onPart({ kind, text: part.delta })
  }

  return {
    take: part => {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return add('text', part)
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return add('reasoning', part)
        case 'tool-input-start': {
          const tool = names.fromWire(part.toolName)
          draft('tool_call', part.id, tool)
          return onPart({ kind: 'tool_call', text: `${tool} ` })
        }
        case 'tool-input-delta':
          return add('tool_call', part)
        case 'tool-call': {
          const call = draft('tool_call', part.toolCallId, names.fromWire(part.toolName))
          call.text = part.input
          return noteMetadata(call, part.providerMetadata)
        }
        case 'finish':
          usage = usageOf(part.usage)
          finish = part.finishReason
          return
        case 'error':
          error ??= { cause: part.error }
      }
    },
    reply: isCut => ({
      message: { role: 'assistant', parts: drafts.flatMap(each => asPart(each, model)), isCut },
      usage,
    }),
    finish: () => finish,
    error: () => error,
  }
}

/** What came last for a part holds: signatures arrive at its end. */
function noteMetadata(draft: Draft, metadata: unknown): void {
  if (typeof metadata !== 'object' || metadata === null) return
  const merged = Object.entries(metadata).map(([name, values]) => [
    name,
    { ...asRecord(draft.metadata?.[name]), ...asRecord(values) },
  ])
  draft.metadata = { ...draft.metadata, ...Object.fromEntries(merged) }
}

function asRecord(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function asPart({ kind, key, tool, text, metadata }: Draft, model: string): AssistantPart[] {
  const opaque = opaqueOf(model, metadata)
  if (kind === 'tool_call') return [{ kind, callId: key, tool, input: text, opaque }]
  // Reasoning may be without words and still be wanted back.
  return text === '' && opaque === null ? [] : [{ kind, text, opaque }]
}

function usageOf({ inputTokens, outputTokens }: Extract<StreamPart, { type: 'finish' }>['usage']): Usage {
  return {
    inputTokens: inputTokens.total ?? null,
    outputTokens: outputTokens.total ?? null,
    cachedInputTokens: inputTokens.cacheRead ?? null,
  }
}
