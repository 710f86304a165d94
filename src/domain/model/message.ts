/**
 * What is said between us and a model. Messages form a tree that only grows: each knows the one before it, and its id is
 * made from both. So where a model stands is one id, going back is taking another one, and nothing is ever rewritten.
 * Providers, prices and the network are not known here. Begin with `Message`.
 */
import { canonicalJson } from '../canonical-json.ts'
import type { MessageId } from '../ids.ts'

export type Message =
  | SystemMessage
  | { readonly role: 'user'; readonly text: string }
  | AssistantMessage
  | { readonly role: 'tool'; readonly results: readonly ToolCallResult[] }
  /** Stands for everything between the first messages and itself; what it stands for stays in the tree. */
  | { readonly role: 'summary'; readonly text: string }

export interface SystemMessage {
  readonly role: 'system'
  readonly text: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly parts: readonly AssistantPart[]
  /** It was cut: by a person, by a lost connection, or by the longest answer that was allowed. */
  readonly isCut: boolean
}

export type AssistantPart =
  | { readonly kind: 'text'; readonly text: string; readonly opaque: Opaque }
  | { readonly kind: 'reasoning'; readonly text: string; readonly opaque: Opaque }
  | ToolCallPart

export interface ToolCallPart {
  readonly kind: 'tool_call'
  /** The provider's own name for the call; its result carries it. */
  readonly callId: string
  readonly tool: string
  /** As the model wrote it: JSON, unless it was cut or is malformed. */
  readonly input: string
  readonly opaque: Opaque
}

/** What a provider wants back as it was, e.g. a signature of its reasoning. Nobody else reads it. */
export type Opaque = Readonly<Record<string, unknown>> | null

export interface ToolCallResult {
  readonly callId: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
}

/** A tool as a model is told of it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** `thread`: the plan or the session in which it is said. `digest`: SHA-256 in hex. */
export function messageId(
  digest: (text: string) => string,
  { thread, after, message }: { thread: string; after: MessageId | null; message: Message },
): MessageId {
  // The one place where such an id is made.
  return digest(canonicalJson({ thread, after, message })) as MessageId
}

export function toolCallsOf({ parts }: AssistantMessage): readonly ToolCallPart[] {
  return parts.filter(part => part.kind === 'tool_call')
}

export function textOf({ parts }: AssistantMessage): string {
  return parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])).join('')
}
