import * as z from 'zod'
import type { SessionRepository } from '../../application/ports/conversation.ts'
import type { GateId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Connection } from './connection.ts'
import { once, recordTable } from './record-table.ts'
import { id, messageIdSchema } from './schemas/scalars.ts'

const sessionSchema: z.ZodType<Session> = z.object({
  sessionId: z.string(),
  name: z.string().nullable(),
  actor: z.string().nullable(),
  folder: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  head: messageIdSchema.nullable(),
  shownGate: z.object({ gateId: id<GateId>(), digest: z.string() }).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
})

export function sessionRepository(connection: Connection): SessionRepository {
  const { db, write } = connection
  const sessions = recordTable<Session>(connection, {
    table: 'sessions',
    key: 'session_id',
    columns: { sessionId: 'session_id', name: 'name', state: 'state' },
    schema: sessionSchema,
  })
  const remove = once(() => db.prepare<[string]>('DELETE FROM sessions WHERE session_id = ?'))
  return {
    put: sessions.put,
    find: sessions.one('WHERE session_id = ?'),
    list: sessions.many('ORDER BY recorded DESC'),
    remove: sessionId => void write(() => remove().run(sessionId)),
  }
}
