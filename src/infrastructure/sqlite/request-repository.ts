import type { RequestRepository } from '../../application/ports/owner.ts'
import type { OwnerRequest } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { once, recordTable } from './record-table.ts'
import { requestSchema } from './schemas/journal-schema.ts'

export function requestRepository(connection: Connection): RequestRepository {
  const { db, write } = connection
  const requests = recordTable<OwnerRequest>(connection, {
    table: 'requests',
    key: 'request_id',
    columns: { requestId: 'request_id', planId: 'plan_id', takenAt: 'taken_at' },
    schema: requestSchema,
  })
  const take = once(() =>
    db.prepare<[string, string]>(
      'UPDATE requests SET taken_at = ? WHERE request_id = ? AND taken_at IS NULL',
    ),
  )
  const listFor = requests.many(
    `JOIN leases USING (plan_id)
     WHERE requests.taken_at IS NULL AND leases.holder_pid = ? AND leases.holder_started_at = ?
     ORDER BY requests.recorded`,
  )
  return {
    insert: requests.insert,
    listFor: holder => listFor(holder.pid, holder.startedAt),
    take: (requestId, at) => void write(() => take().run(at, requestId)),
  }
}
