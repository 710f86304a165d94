import type { CorrectionRepository } from '../../application/ports/rollback.ts'
import type { CorrectionId } from '../../domain/ids.ts'
import type { Correction } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { recordTable } from './record-table.ts'
import { correctionSchema } from './schemas/journal-schema.ts'

export function correctionRepository(connection: Connection): CorrectionRepository {
  const corrections = recordTable<Correction>(connection, {
    table: 'correction_attempts',
    key: 'correction_id',
    columns: { correctionId: 'correction_id', planId: 'plan_id' },
    schema: correctionSchema,
  })
  return {
    put: corrections.put,
    find: corrections.one('WHERE correction_id = ?'),
    match: idMatcher<CorrectionId>(connection, 'correction_attempts', 'correction_id', 'plan_id = ?'),
    listByPlan: corrections.many('WHERE plan_id = ? ORDER BY recorded'),
  }
}
