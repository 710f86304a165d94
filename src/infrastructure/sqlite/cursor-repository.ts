import type { CursorRepository } from '../../application/ports/plan.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { once, recordTable } from './record-table.ts'
import { cursorSchema } from './schemas/journal-schema.ts'

export function cursorRepository(connection: Connection): CursorRepository {
  const { db, write } = connection
  const cursors = recordTable<Cursor>(connection, {
    table: 'cursors',
    key: 'plan_id',
    columns: { planId: 'plan_id' },
    schema: cursorSchema,
  })
  const remove = once(() => db.prepare<[string]>('DELETE FROM cursors WHERE plan_id = ?'))
  return {
    put: cursors.put,
    get: cursors.one('WHERE plan_id = ?'),
    remove: planId => void write(() => remove().run(planId)),
  }
}
