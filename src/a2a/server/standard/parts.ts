import type { Artifact, Message, Part } from '@a2a-js/sdk'
import { EXTENSION_URI } from '../../protocol/envelope.ts'
import type { Sdk } from './sdk.ts'

export function textPart(value: string, mediaType = 'text/plain'): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType }
}

export function dataPart(value: object): Part {
  return {
    content: { $case: 'data', value },
    metadata: undefined,
    filename: '',
    mediaType: 'application/json',
  }
}

export interface Belonging {
  readonly taskId: string
  readonly contextId: string
}

export function agentMessage(sdk: Sdk, { taskId, contextId }: Belonging, parts: Part[]): Message {
  return {
    messageId: crypto.randomUUID(),
    role: sdk.Role.ROLE_AGENT,
    taskId,
    contextId,
    parts,
    metadata: undefined,
    extensions: parts.length > 1 ? [EXTENSION_URI] : [],
    referenceTaskIds: [],
  }
}

export function artifact(artifactId: string, description: string, parts: Part[]): Artifact {
  return { artifactId, name: artifactId, description, parts, metadata: undefined, extensions: [] }
}

/** The texts of a message as one, and its first data part. */
export function contentOf(message: Message): {
  text: string
  data: Readonly<Record<string, unknown>> | null
} {
  const texts = message.parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
  const data = message.parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
  return { text: texts.join('\n').trim(), data: data[0] ?? null }
}

export function hasFiles(message: Message): boolean {
  return message.parts.some(({ content }) => content?.$case !== 'text' && content?.$case !== 'data')
}
