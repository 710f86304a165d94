import type SQLite from 'better-sqlite3'
import type { CorrectionRepository } from '../../application/ports.ts'
import type { CorrectionId } from '../../domain/ids.ts'
import type { Correction } from '../../domain/plan/journal.ts'
import { idMatcher } from './match.ts'
import { recordTable } from './record-table.ts'
import { correctionSchema } from './schemas/journal-schema.ts'

export function correctionRepository(db: SQLite.Database): CorrectionRepository {
  const corrections = recordTable<Correction>(db, {
    table: 'correction_attempts',
    key: 'correction_id',
    columns: { correctionId: 'correction_id', planId: 'plan_id' },
    schema: correctionSchema,
  })
  return {
    put: corrections.put,
    find: corrections.one('WHERE correction_id = ?'),
    match: idMatcher<CorrectionId>(db, 'correction_attempts', 'correction_id', 'plan_id = ?'),
    listByPlan: corrections.many('WHERE plan_id = ? ORDER BY recorded'),
  }
}
