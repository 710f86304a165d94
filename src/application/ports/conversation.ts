import type { MessageId } from '../../domain/ids.ts'
import type { Message } from '../../domain/model/message.ts'
import type { Session } from '../../domain/session/session.ts'

/** A task that is no plan yet: a message that started nothing. */
export interface Conversation {
  readonly taskId: string
  readonly contextId: string
  readonly state: 'input-required' | 'canceled'
  readonly messages: readonly unknown[]
  readonly createdAt: string
}

export interface ConversationRepository {
  put(conversation: Conversation): void
  find(taskId: string): Conversation | null
  list(limit: number): Conversation[]
}

export interface SessionRepository {
  put(session: Session): void
  find(sessionId: string): Session | null
  /** Newest first. */
  list(): Session[]
  remove(sessionId: string): void
}

/** What was said between us and models; see domain/model/message.ts. */
export interface KeptMessage {
  readonly messageId: MessageId
  /** The one before it; null for the first. */
  readonly after: MessageId | null
  readonly at: string
  readonly message: Message
}

export interface MessageTree {
  /** Below one another; returns the id of the last, or `after` where there are none. Said twice, it is one. */
  append(thread: string, after: MessageId | null, messages: readonly Message[]): MessageId | null
  /** From the first one to `head`. Throws where it is not there. */
  path(head: MessageId): Message[]
  /** All of a thread, branches included, in the order in which they were said first. */
  list(thread: string): KeptMessage[]
  removeThread(thread: string): void
}
