import type { AssistantMessage, AssistantPart } from '../../domain/model/message.ts'
import type { ModelHands, ModelReply } from '../ports/model.ts'

type Part = Parameters<ModelHands['onPart']>[0]

/** Keeps what a model writes as it arrives, for when the rest never does, and shows it to whoever watches. */
export function arrivingAnswer(show: (text: string) => void) {
  let parts: Part[] = []
  return {
    /** Another try begins. */
    clear(): void {
      parts = []
    },
    take({ kind, text }: Part): void {
      const last = parts.at(-1)
      if (last?.kind === kind) {
        parts[parts.length - 1] = { kind, text: last.text + text }
        show(text)
      } else {
        parts.push({ kind, text })
        show(last ? `\n${text}` : text)
      }
    },
    /** Null where nothing arrived. A call of a tool that is not whole is none. */
    cut(): ModelReply | null {
      const arrived = parts.flatMap(({ kind, text }): AssistantPart[] =>
        kind === 'tool_call' || text === '' ? [] : [{ kind, text, opaque: null }],
      )
      if (parts.length === 0) return null
      const message: AssistantMessage = { role: 'assistant', parts: arrived, isCut: true }
      return { message, usage: { inputTokens: null, outputTokens: null, cachedInputTokens: null } }
    },
  }
}
