import type SQLite from 'better-sqlite3'
import type { StepRepository } from '../../application/ports.ts'
import type { Step } from '../../domain/plan/journal.ts'
import { recordTable } from './record-table.ts'
import { stepSchema } from './schemas/journal-schema.ts'

export function stepRepository(db: SQLite.Database): StepRepository {
  const steps = recordTable<Step>(db, {
    table: 'steps',
    key: 'step_id',
    columns: {
      stepId: 'step_id',
      planId: 'plan_id',
      idempotencyKey: 'idempotency_key',
      status: 'status',
    },
    schema: stepSchema,
  })
  return {
    insert: steps.insertUnless('idempotency_key'),
    update: steps.update,
    find: steps.one('WHERE step_id = ?'),
    findByKey: steps.one('WHERE idempotency_key = ?'),
    listByPlan: steps.many('WHERE plan_id = ? ORDER BY recorded'),
  }
}
