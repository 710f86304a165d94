import type { InvariantRepository } from '../../application/ports/invariant.ts'
import type { InvariantId } from '../../domain/ids.ts'
import type { Invariant } from '../../domain/invariant/invariant.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { recordTable } from './record-table.ts'
import { invariantSchema } from './schemas/invariant-schema.ts'

export function invariantRepository(connection: Connection): InvariantRepository {
  const { db, write } = connection
  const invariants = recordTable<Invariant>(connection, {
    table: 'invariants',
    key: 'invariant_id',
    columns: { invariantId: 'invariant_id' },
    schema: invariantSchema,
  })
  return {
    insert: invariants.insert,
    remove: id => void write(() => db.prepare('DELETE FROM invariants WHERE invariant_id = ?').run(id)),
    find: invariants.one('WHERE invariant_id = ?'),
    match: idMatcher<InvariantId>(connection, 'invariants', 'invariant_id'),
    list: invariants.many('ORDER BY recorded'),
    listFor: invariants.many('WHERE scope = ? AND subject IS ? ORDER BY recorded'),
  }
}
