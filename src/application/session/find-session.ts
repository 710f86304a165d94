import { type Result, refuse } from '../../domain/failure.ts'
import { noneNamed } from '../../domain/nearest.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Ports } from '../ports.ts'

/** By its id or name, the beginning of its id, the last six or more characters, or `@latest`. */
export function findSession({ store }: Ports, reference: string): Result<Session> {
  const exact = store.sessions.find(reference)
  if (exact) return { ok: true, value: exact }
  const all = store.sessions.list()
  const typed = reference.toUpperCase()
  const candidates =
    reference === '@latest'
      ? all.slice(0, 1)
      : firstThatHas(all, [
          ({ name }) => name === reference,
          ({ sessionId }) => sessionId.toUpperCase().startsWith(typed),
          ({ sessionId }) => typed.length >= 6 && sessionId.toUpperCase().endsWith(typed),
        ])
  const [only, second] = candidates
  if (only && !second) return { ok: true, value: only }
  if (only)
    return refuse(
      'ambiguous',
      `${reference} is more than one session: ${candidates.map(named).join(', ')}.`,
      {
        candidates: candidates.map(({ sessionId }) => sessionId),
      },
    )
  const known = all.map(({ name, sessionId }) => name ?? sessionId)
  const message =
    known.length === 0
      ? `There is no session ${reference}. There are no sessions yet.`
      : noneNamed('session', reference, known)
  return refuse('not_found', message, { session: reference })
}

function firstThatHas(all: readonly Session[], tests: readonly ((session: Session) => boolean)[]): Session[] {
  for (const test of tests) {
    const found = all.filter(test)
    if (found.length > 0) return found
  }
  return []
}

function named({ sessionId, name }: Session): string {
  return name === null ? sessionId : `${sessionId} (${name})`
}
