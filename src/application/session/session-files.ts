import { mapped, ok, type Result, refuse } from '../../domain/failure.ts'
import { stateOf } from '../../domain/plan/lifecycle.ts'
import { redact } from '../../domain/redact.ts'
import { isSessionId, type Session } from '../../domain/session/session.ts'
import { readSessionFile, type SessionFile, sealed } from '../../domain/session/session-file.ts'
import type { SessionDetails } from '../backend/session.ts'
import type { Ports } from '../ports.ts'
import { details, showSession } from './manage-sessions.ts'

/** Without secrets: what looks like one is marked by its kind. */
export function exportSession(ports: Ports, reference: string): Result<SessionFile> {
  return mapped(showSession(ports, reference), ({ session, messages, plans }) =>
    sealed(
      redact({
        session: {
          session_id: session.sessionId,
          name: session.name,
          actor: session.actor,
          folder: session.folder,
          state: session.state,
          created_at: session.createdAt,
          updated_at: session.updatedAt,
          closed_at: session.closedAt,
        },
        messages: [...messages],
        plans: plans.map(plan => ({ plan_id: plan.planId, name: plan.name, state: stateOf(plan.position) })),
      }).value,
      ports.digest,
    ),
  )
}

/** `sessionId`: what it is to be called here; null: what it was called where it comes from. */
export function importSession(
  ports: Ports,
  { text, sessionId }: { text: string; sessionId: string | null },
): Result<SessionDetails> {
  const read = readSessionFile(text, ports.digest)
  if (!read.ok) return read
  const { session, messages } = read.value
  const name = sessionId ?? session.session_id
  if (!isSessionId(name)) return refuse('invalid_input', `"${name}" can be no id of a session.`)
  return ports.store.transaction(() => {
    if (ports.store.sessions.find(name))
      return refuse('already_exists', `There is a session ${name} already; import it under another id.`, {
        session: name,
      })
    const imported: Session = {
      sessionId: name,
      name: session.name,
      actor: session.actor,
      folder: session.folder,
      state: session.state,
      head: ports.store.messages.append(name, null, messages),
      shownGate: null,
      createdAt: session.created_at,
      updatedAt: session.updated_at,
      closedAt: session.closed_at,
    }
    ports.store.sessions.put(imported)
    return ok(details(ports, imported))
  })
}
