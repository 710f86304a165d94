import { compacted } from '../../domain/model/compacted.ts'
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  Opaque,
  ToolCallResult,
} from '../../domain/model/message.ts'
import { toolCallsOf } from '../../domain/model/message.ts'
import type { Prompt, PromptMessage, ProviderOptions } from './language-model.ts'
import type { ToolNames } from './tool-names.ts'

type PromptOf<Role extends PromptMessage['role']> = Extract<PromptMessage, { role: Role }>
type AssistantContent = PromptOf<'assistant'>['content'][number]
type ToolContent = PromptOf<'tool'>['content'][number]

/**
 * Our messages as the provider packages take them. `model` is the whole name: what another model wants back unchanged,
 * such as a signature of its reasoning, is worth nothing to this one and is left out.
 */
export function toPrompt(messages: readonly Message[], model: string, names: ToolNames): Prompt {
  const said = compacted(messages)
  const prompt = said.flatMap((message, index) =>
    promptMessages(message, { before: said[index - 1], next: said[index + 1], model, names }),
  )
  return withCacheMarks(joined(prompt))
}

interface Around {
  readonly before: Message | undefined
  readonly next: Message | undefined
  readonly model: string
  readonly names: ToolNames
}

function promptMessages(message: Message, around: Around): PromptMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }]
    case 'user':
      return [userMessage(message.text)]
    case 'summary':
      return [userMessage(`What was said and done before this, in short:\n\n${message.text}`)]
    case 'assistant':
      return assistantMessages(message, around)
    case 'tool':
      return answersTo(around.before) ? [] : orphans(message.results)
  }
}

function userMessage(text: string): PromptOf<'user'> {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** With the results of its calls: providers refuse a call that has none. */
function assistantMessages(message: AssistantMessage, { next, model, names }: Around): PromptMessage[] {
  const content = message.parts.flatMap(part => assistantContent(part, model, names))
  const calls = toolCallsOf(message)
  const results = next?.role === 'tool' ? next.results : []
  const answers = calls.map(
    call =>
      results.find(result => result.callId === call.callId) ?? {
        callId: call.callId,
        tool: call.tool,
        text: 'Not done: the answer was cut off before it.',
        isError: true,
      },
  )
  return [
    ...(content.length === 0 ? [] : [{ role: 'assistant' as const, content }]),
    ...(answers.length === 0
      ? []
      : [{ role: 'tool' as const, content: answers.map(result => toolContent(result, names)) }]),
  ]
}

function assistantContent(part: AssistantPart, model: string, names: ToolNames): AssistantContent[] {
  const options = optionsFrom(part.opaque, model)
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }]
    case 'reasoning':
      // Without what proves it, or from another model, it is only more text to pay for.
      return options.providerOptions === undefined ? [] : [{ type: 'reasoning', text: part.text, ...options }]
    case 'tool_call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.callId,
          toolName: names.toWire(part.tool),
          input: asArguments(part.input),
          ...options,
        },
      ]
  }
}

/** Servers read what they are given back as JSON; what was none is shown as what it was. */
function asArguments(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Cut in the middle, or never JSON.
  }
  return { malformed_arguments: input }
}

function toolContent({ callId, tool, text, isError }: ToolCallResult, names: ToolNames): ToolContent {
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: names.toWire(tool),
    output: { type: isError ? 'error-text' : 'text', value: text },
  }
}

function answersTo(before: Message | undefined): boolean {
  return before?.role === 'assistant' && toolCallsOf(before).length > 0
}

/** Results whose calls a summary stands for. */
function orphans(results: readonly ToolCallResult[]): PromptMessage[] {
  return results.map(({ tool, text }) => userMessage(`Result of ${tool}:\n${text}`))
}

/** What one model wants back, under its own name. */
export function opaqueOf(model: string, metadata: unknown): Opaque {
  if (metadata === undefined || metadata === null) return null
  // Stored with the message: plain JSON, without what is undefined.
  return JSON.parse(JSON.stringify({ model, metadata }))
}

function optionsFrom(opaque: Opaque, model: string): { readonly providerOptions?: ProviderOptions } {
  if (opaque === null || opaque['model'] !== model) return {}
  // It came from a package of this interface, which checks what it gets back.
  return { providerOptions: opaque['metadata'] as ProviderOptions }
}

/** Templates of local models often demand that the two take turns. */
function joined(messages: readonly PromptMessage[]): Prompt {
  const list: PromptMessage[] = []
  for (const message of messages) {
    const last = list.at(-1)
    if (message.role === 'user' && last?.role === 'user')
      list[list.length - 1] = { ...last, content: [...last.content, ...message.content] }
    else list.push(message)
  }
  return list
}

const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** Anthropic keeps what stands before a mark, so that the next call pays a tenth for it. The others ignore marks. */
function withCacheMarks(prompt: Prompt): Prompt {
  const last = prompt.length - 1
  return prompt.map((message, index) =>
    message.role === 'system' || index === last
      ? { ...message, providerOptions: { ...message.providerOptions, ...CACHE_MARK } }
      : message,
  )
}
