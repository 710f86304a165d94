import type { GateRepository } from '../../application/ports/gate.ts'
import type { Gate } from '../../domain/gate/gate.ts'
import type { GateId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { once, recordTable } from './record-table.ts'
import { gateSchema } from './schemas/gate-schema.ts'

export function gateRepository(connection: Connection): GateRepository {
  const { db, write } = connection
  const gates = recordTable<Gate>(connection, {
    table: 'gates',
    key: 'gate_id',
    columns: { gateId: 'gate_id', planId: 'plan_id', kind: 'kind' },
    schema: gateSchema,
  })
  // The condition is what keeps an answer from taking effect twice, over all processes.
  const close = once(() =>
    db.prepare<[string, string]>(
      `UPDATE gates SET rest = json_set(rest, '$.status', json(?)) WHERE gate_id = ? AND status = 'open'`,
    ),
  )
  return {
    insert: gates.insert,
    close: (gateId, status) => write(() => close().run(JSON.stringify(status), gateId)).changes === 1,
    find: gates.one('WHERE gate_id = ?'),
    match: idMatcher<GateId>(connection, 'gates', 'gate_id'),
    listByPlan: gates.many('WHERE plan_id = ? ORDER BY recorded'),
    listOpen: gates.many(`WHERE status = 'open' AND plan_id = coalesce(?, plan_id) ORDER BY recorded`),
  }
}
