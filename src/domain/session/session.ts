/** A conversation with an orchestrator actor, which outlives the plans that are started in it. Begin with `Session`. */
import type { GateId, MessageId } from '../ids.ts'

export interface Session {
  /** A ULID, or whatever the client that made it calls it: it is an A2A context. */
  readonly sessionId: string
  /** What people call it; null until they do. */
  readonly name: string | null
  /** The model that answers, e.g. `openai/gpt-5`; null: the default one at the time. */
  readonly actor: string | null
  /** Where plans that are started in it work; null: wherever the only project is. */
  readonly folder: string | null
  readonly state: 'open' | 'closed'
  /** The last message; null while nothing was said. */
  readonly head: MessageId | null
  /** The question that was shown last: a bare answer is for it and for nothing else. */
  readonly shownGate: ShownGate | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly closedAt: string | null
}

export interface ShownGate {
  readonly gateId: GateId
  readonly digest: string
}

/** Clients bring ids of their own, taken as they are; what could hide in a line stays out. */
export function isSessionId(text: string): boolean {
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,512}$/u.test(text)
}
