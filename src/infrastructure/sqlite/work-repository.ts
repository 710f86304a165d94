import type { WorkRepository } from '../../application/ports/plan.ts'
import type { Work } from '../../domain/plan/work.ts'
import type { Connection } from './connection.ts'
import { once, recordTable } from './record-table.ts'
import { workSchema } from './schemas/journal-schema.ts'

export function workRepository(connection: Connection): WorkRepository {
  const { db, write } = connection
  const works = recordTable<Work>(connection, {
    table: 'works',
    key: 'seq',
    columns: { seq: 'seq', planId: 'plan_id', decisionId: 'decision_id' },
    schema: workSchema,
  })
  const nextSeq = once(() =>
    db.prepare<[string], number>('SELECT coalesce(max(seq), 0) + 1 FROM works WHERE plan_id = ?').pluck(),
  )
  const extend = once(() =>
    db.prepare<[string, string | null, string, number]>(
      `UPDATE works SET rest = json_set(rest, '$.to', ?, '$.base', ?) WHERE plan_id = ? AND seq = ?`,
    ),
  )
  const drop = once(() =>
    db.prepare<{ planId: string; seqs: string }>(
      `UPDATE works SET dropped = (SELECT coalesce(max(dropped), 0) + 1 FROM works WHERE plan_id = @planId)
       WHERE plan_id = @planId AND dropped IS NULL AND seq NOT IN (SELECT value FROM json_each(@seqs))`,
    ),
  )
  const bringBack = once(() =>
    db.prepare<{ planId: string; seqs: string }>(
      `UPDATE works SET dropped = NULL
       WHERE plan_id = @planId AND dropped IS NOT NULL AND seq IN (SELECT value FROM json_each(@seqs))`,
    ),
  )
  return {
    add: added =>
      write(() => {
        const work: Work = { ...added, seq: nextSeq().get(added.planId) ?? 1 }
        works.insert(work)
        return work
      }),
    extend: (planId, seq, { to, base }) => void write(() => extend().run(to, base, planId, seq)),
    last: works.one('WHERE plan_id = ? AND dropped IS NULL ORDER BY seq DESC LIMIT 1'),
    listPresent: works.many('WHERE plan_id = ? AND dropped IS NULL ORDER BY seq'),
    setPresent: (planId, seqs) => {
      const named = { planId, seqs: JSON.stringify(seqs) }
      write(() => {
        drop().run(named)
        bringBack().run(named)
      })
    },
    listByDecision: works.many(
      `WHERE decision_id = ? AND dropped IS (
         SELECT iif(count(*) = count(dropped), max(dropped), NULL)
         FROM works AS every WHERE every.decision_id = works.decision_id)
       ORDER BY seq`,
    ),
  }
}
