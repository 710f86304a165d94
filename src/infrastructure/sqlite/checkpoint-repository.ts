import type { CheckpointRepository } from '../../application/ports/rollback.ts'
import type { CheckpointId } from '../../domain/ids.ts'
import type { Checkpoint } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { recordTable } from './record-table.ts'
import { checkpointSchema } from './schemas/journal-schema.ts'

export function checkpointRepository(connection: Connection): CheckpointRepository {
  const checkpoints = recordTable<Checkpoint>(connection, {
    table: 'checkpoint_metadata',
    key: 'checkpoint_id',
    columns: { checkpointId: 'checkpoint_id', planId: 'plan_id' },
    schema: checkpointSchema,
  })
  return {
    insert: checkpoints.insert,
    find: checkpoints.one('WHERE checkpoint_id = ?'),
    match: idMatcher<CheckpointId>(connection, 'checkpoint_metadata', 'checkpoint_id', 'plan_id = ?'),
    listByPlan: checkpoints.many('WHERE plan_id = ? ORDER BY recorded'),
  }
}
