import type { Sessions } from '../../src/application/backend/session.ts'
import { ok, refuse } from '../../src/domain/failure.ts'
import type { Session, ShownGate } from '../../src/domain/session/session.ts'

/** Sessions of a script: they are there, and no model answers in them. */
export function scriptedSessions(): Sessions {
  const sessions = new Map<string, Session>()
  const details = (session: Session) => ({ session, messages: [], plans: [] })
  const later = () => refuse('not_available', 'Not in the script.')
  const remember = (sessionId: string, shownGate: ShownGate | null) => {
    const session = sessions.get(sessionId)
    if (session) sessions.set(sessionId, { ...session, shownGate })
  }
  return {
    create({ sessionId, name, actor, folder }) {
      const id = sessionId ?? `session-${sessions.size}`
      const at = '2026-11-01T00:00:00.000Z'
      const session: Session = sessions.get(id) ?? {
        sessionId: id,
        name,
        actor,
        folder,
        state: 'open',
        head: null,
        shownGate: null,
        createdAt: at,
        updatedAt: at,
        closedAt: null,
      }
      sessions.set(id, session)
      return ok(details(session))
    },
    list: () => [...sessions.values()].map(details),
    show(reference) {
      const session = sessions.get(reference)
      return session ? ok(details(session)) : refuse('not_found', `There is no session ${reference}.`)
    },
    close: later,
    delete: later,
    export: later,
    import: later,
    tell: async () => refuse('not_available', 'No model answers in a script.'),
    note: () => {},
    rememberShown: remember,
  }
}
