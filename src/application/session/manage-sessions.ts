import { mapped, type Result, refuse } from '../../domain/failure.ts'
import { type Message, toolCallsOf } from '../../domain/model/message.ts'
import { isSessionId, type Session, type ShownGate } from '../../domain/session/session.ts'
import type { NewSession, SessionDetails } from '../backend/session.ts'
import type { Ports } from '../ports.ts'
import { findSession } from './find-session.ts'

/** An id that is there already is the session of that id, as it is: whoever asks twice means one (SESS-02). */
export function createSession(ports: Ports, input: NewSession): Result<SessionDetails> {
  const { sessionId, name, actor, folder } = input
  if (sessionId !== null && !isSessionId(sessionId))
    return refuse('invalid_input', 'The id of a session has 1 to 512 characters, and none that are not seen.')
  if (name !== null && !isSessionId(name))
    return refuse(
      'invalid_input',
      'The name of a session has 1 to 512 characters, and none that are not seen.',
    )
  const named = actor === null ? null : ports.models.resolve(actor)
  if (named && !named.ok) return named
  return ports.store.transaction(() => {
    const before = sessionId === null ? null : ports.store.sessions.find(sessionId)
    if (before) return { ok: true, value: details(ports, before) }
    const now = ports.clock.now()
    const session: Session = {
      sessionId: sessionId ?? ports.newId(),
      name,
      actor,
      folder,
      state: 'open',
      head: null,
      shownGate: null,
      createdAt: now,
      updatedAt: now,
      closedAt: null,
    }
    ports.store.sessions.put(session)
    return { ok: true, value: details(ports, session) }
  })
}

export function listSessions(ports: Ports): SessionDetails[] {
  return ports.store.sessions.list().map(session => details(ports, session))
}

export function showSession(ports: Ports, reference: string): Result<SessionDetails> {
  return mapped(findSession(ports, reference), session => details(ports, session))
}

/** Nothing more is said in it. Its plans go on; closing one that is closed is fine. */
export function closeSession(ports: Ports, reference: string): Result<SessionDetails> {
  return ports.store.transaction(() =>
    mapped(findSession(ports, reference), session => {
      const now = ports.clock.now()
      const closed: Session = {
        ...session,
        state: 'closed',
        updatedAt: now,
        closedAt: session.closedAt ?? now,
      }
      ports.store.sessions.put(closed)
      return details(ports, closed)
    }),
  )
}

/** With everything that was said in it. Its plans stay, with their own records. */
export function deleteSession(ports: Ports, reference: string): Result<SessionDetails> {
  return ports.store.transaction(() =>
    mapped(findSession(ports, reference), session => {
      const before = details(ports, session)
      ports.store.messages.removeThread(session.sessionId)
      ports.store.sessions.remove(session.sessionId)
      return before
    }),
  )
}

/** Commands and the answers to gates are part of what was said, though no model heard them. */
export function noteTurn(ports: Ports, sessionId: string, said: string, reply: string): void {
  const { store, clock } = ports
  store.transaction(() => {
    const session = store.sessions.find(sessionId)
    if (!session) return
    const head = store.messages.append(sessionId, session.head, [
      ...unanswered(ports, session),
      { role: 'user', text: said },
      { role: 'assistant', parts: [{ kind: 'text', text: reply, opaque: null }], isCut: false },
    ])
    store.sessions.put({ ...session, head, updatedAt: clock.now() })
  })
}

/** Calls of a model that were never answered, because the program ended, are told so before anything else is said. */
export function unanswered({ store }: Ports, { head }: Session): Message[] {
  const last = head === null ? null : store.messages.path(head).at(-1)
  const calls = last?.role === 'assistant' ? toolCallsOf(last) : []
  if (calls.length === 0) return []
  const text = 'Not done: the program ended before it was.'
  return [{ role: 'tool', results: calls.map(({ callId, tool }) => ({ callId, tool, text, isError: true })) }]
}

/** Call it with null when nothing waits any more. */
export function rememberShown({ store }: Ports, sessionId: string, shownGate: ShownGate | null): void {
  store.transaction(() => {
    const session = store.sessions.find(sessionId)
    if (session) store.sessions.put({ ...session, shownGate })
  })
}

export function details({ store }: Ports, session: Session): SessionDetails {
  return {
    session,
    messages: session.head === null ? [] : store.messages.path(session.head),
    plans: store.plans.listBySession(session.sessionId),
  }
}
