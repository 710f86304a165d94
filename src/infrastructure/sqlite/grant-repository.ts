import type { GrantRepository } from '../../application/ports/gate.ts'
import type { GrantId } from '../../domain/ids.ts'
import type { Grant } from '../../domain/plan/journal.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { once, recordTable } from './record-table.ts'
import { grantSchema } from './schemas/journal-schema.ts'

export function grantRepository(connection: Connection): GrantRepository {
  const { db, write } = connection
  const grants = recordTable<Grant>(connection, {
    table: 'grants',
    key: 'grant_id',
    columns: { grantId: 'grant_id', revokedAt: 'revoked_at' },
    schema: grantSchema,
  })
  const revoke = once(() =>
    db.prepare<[string, string]>(
      'UPDATE grants SET revoked_at = ? WHERE grant_id = ? AND revoked_at IS NULL',
    ),
  )
  const all = grants.many('ORDER BY recorded')
  const reaching = grants.many(
    `WHERE grants.plan_id = ?
       OR profile = (SELECT plans.rest ->> '$.profile.name' FROM plans WHERE plans.plan_id = ?)
     ORDER BY recorded`,
  )
  return {
    insert: grants.insert,
    revoke: (grantId, at) => write(() => revoke().run(at, grantId)).changes === 1,
    find: grants.one('WHERE grant_id = ?'),
    match: idMatcher<GrantId>(connection, 'grants', 'grant_id'),
    list: planId => (planId === null ? all() : reaching(planId, planId)),
  }
}
