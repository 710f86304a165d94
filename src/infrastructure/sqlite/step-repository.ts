import type { StepRepository } from '../../application/ports/plan.ts'
import type { Step } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { once, recordTable } from './record-table.ts'
import { stepSchema } from './schemas/journal-schema.ts'

export function stepRepository(connection: Connection): StepRepository {
  const steps = recordTable<Step>(connection, {
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
  const used = once(() =>
    connection.db.prepare<[string], { tool: string; network: number }>(
      `SELECT DISTINCT rest ->> '$.tool' AS tool, coalesce(rest ->> '$.input.network', 0) AS network
       FROM steps WHERE plan_id = ? AND rest ->> '$.kind' = 'tool' AND rest ->> '$.tool' IS NOT NULL`,
    ),
  )
  const calls = once(() =>
    connection.db.prepare<[string, string, string, string, number, string], { calls: number }>(
      `SELECT count(*) AS calls FROM steps
       WHERE plan_id = ? AND (path = ? OR (path >= ? || '.' AND path < ? || '/'))
         AND rest ->> '$.attempt' = ? AND idempotency_key <> ?
         AND rest ->> '$.kind' IN ('tool', 'validate') AND rest ->> '$.startedAt' IS NOT NULL`,
    ),
  )
  return {
    insert: steps.insertUnless('idempotency_key'),
    update: steps.update,
    find: steps.one('WHERE step_id = ?'),
    findByKey: steps.one('WHERE idempotency_key = ?'),
    listOpenSpawns: steps.many(
      `WHERE plan_id = ? AND status IN ('authorised', 'started') AND rest ->> '$.kind' = 'spawn' ORDER BY recorded`,
    ),
    toolsUsed: planId =>
      used()
        .all(planId)
        .map(({ tool, network }) => ({ tool, network: network === 1 })),
    countCalls: ({ planId, attempt, path, exceptKey }) =>
      calls().get(planId, path, path, path, attempt, exceptKey)?.calls ?? 0,
    listChecks: steps.many(`WHERE plan_id = ? AND rest ->> '$.kind' = 'validate' ORDER BY recorded`),
    listByPlan: steps.many('WHERE plan_id = ? ORDER BY recorded'),
    listByDecision: steps.many('WHERE decision_id = ? ORDER BY recorded'),
    lastUnder: steps.one(
      `WHERE decision_id = ? AND path = ? AND rest ->> '$.takenBackAt' IS NULL ORDER BY recorded DESC LIMIT 1`,
    ),
    last: steps.one('WHERE plan_id = ? ORDER BY recorded DESC LIMIT 1'),
    lastAt: steps.one('WHERE plan_id = ? AND path = ? ORDER BY recorded DESC LIMIT 1'),
  }
}
