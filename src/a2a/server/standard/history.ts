import type { Message } from '@a2a-js/sdk'
import type { Backend } from '../../../application/backend.ts'
import type { Conversation } from '../../../application/ports/conversation.ts'
import type { Sdk } from './sdk.ts'

/** What was said in a task, kept with the conversation of the same id, and which messages were taken already. */
export interface History {
  of(taskId: string): Message[]
  add(
    task: { readonly taskId: string; readonly contextId: string },
    messages: readonly Message[],
  ): Conversation
  /** The task that a message of this context went into before; a client that sends twice means it once. */
  taskOf(message: Message): string | null
  taken(message: Message, taskId: string): void
  /** What is being done about a message is done once, however often it is sent meanwhile. */
  once<Value>(message: Message, take: () => Promise<Value>): Promise<Value>
}

export function openHistory(sdk: Sdk, backend: Backend): History {
  const tasks = new Map<string, string>()
  const underWay = new Map<string, Promise<unknown>>()
  return {
    of: taskId => (backend.conversation(taskId)?.messages ?? []).map(each => sdk.Message.fromJSON(each)),
    add({ taskId, contextId }, messages) {
      const before = backend.conversation(taskId)
      const added = messages.map(each => sdk.Message.toJSON(each))
      const conversation: Conversation = {
        taskId,
        contextId,
        state: before?.state ?? 'input-required',
        messages: [...(before?.messages ?? []), ...added].slice(-MAX_MESSAGES),
        createdAt: before?.createdAt ?? backend.now(),
      }
      backend.putConversation(conversation)
      return conversation
    },
    taskOf: message => tasks.get(keyOf(message)) ?? null,
    taken(message, taskId) {
      tasks.set(keyOf(message), taskId)
      const [oldest] = tasks.keys()
      if (tasks.size > MAX_REMEMBERED && oldest !== undefined) tasks.delete(oldest)
    },
    once<Value>(message: Message, take: () => Promise<Value>): Promise<Value> {
      const key = keyOf(message)
      // One key stands for one kind of answer: only `takeMessage` asks.
      const before = underWay.get(key) as Promise<Value> | undefined
      if (before) return before
      const taking = take().finally(() => underWay.delete(key))
      underWay.set(key, taking)
      return taking
    },
  }
}

const MAX_MESSAGES = 200
const MAX_REMEMBERED = 1_000

function keyOf({ contextId, taskId, messageId }: Message): string {
  return JSON.stringify([contextId || taskId, messageId])
}
