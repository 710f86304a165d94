import type SQLite from 'better-sqlite3'
import type { CursorRepository } from '../../application/ports.ts'
import type { Cursor } from '../../domain/plan/journal.ts'
import { once, recordTable } from './record-table.ts'
import { cursorSchema } from './schemas/journal-schema.ts'

export function cursorRepository(db: SQLite.Database): CursorRepository {
  const cursors = recordTable<Cursor>(db, {
    table: 'cursors',
    key: 'plan_id',
    columns: { planId: 'plan_id' },
    schema: cursorSchema,
  })
  const remove = once(() => db.prepare<[string]>('DELETE FROM cursors WHERE plan_id = ?'))
  return {
    put: cursors.put,
    get: cursors.one('WHERE plan_id = ?'),
    remove: planId => void remove().run(planId),
  }
}
