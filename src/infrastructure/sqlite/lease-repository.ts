import type { LeaseRepository } from '../../application/ports/owner.ts'
import type { Lease } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { once, recordTable } from './record-table.ts'
import { leaseSchema } from './schemas/journal-schema.ts'

export function leaseRepository(connection: Connection): LeaseRepository {
  const { db, write } = connection
  const leases = recordTable<Lease>(connection, {
    table: 'leases',
    key: 'plan_id',
    columns: { planId: 'plan_id' },
    schema: leaseSchema,
  })
  // Only the holder lets go: a process that lost its lease must not end its successor's.
  const remove = once(() =>
    db.prepare<[string, number, string]>(
      'DELETE FROM leases WHERE plan_id = ? AND holder_pid = ? AND holder_started_at = ?',
    ),
  )
  return {
    get: leases.one('WHERE plan_id = ?'),
    list: leases.many('ORDER BY recorded'),
    put: leases.put,
    remove: (planId, holder) => void write(() => remove().run(planId, holder.pid, holder.startedAt)),
  }
}
