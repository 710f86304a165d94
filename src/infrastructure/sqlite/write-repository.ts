import type { WriteRepository } from '../../application/ports/decision.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { RelPath } from '../../domain/sandbox/rel-path.ts'
import type { Connection } from './connection.ts'
import { once } from './record-table.ts'

/** One row a path and decision, in the order in which it was last written. */
export function writeRepository({ db, write }: Connection): WriteRepository {
  const insert = once(() =>
    db.prepare<[string, string, string, string]>(
      'INSERT OR REPLACE INTO writes (plan_id, decision_id, kind, path) VALUES (?, ?, ?, ?)',
    ),
  )
  const last = once(() =>
    db
      .prepare<[string, string], DecisionId>(
        `SELECT decision_id FROM writes JOIN decisions USING (decision_id)
         WHERE writes.plan_id = ? AND kind = 'write' AND path = ? AND status = 'active'
         ORDER BY writes.recorded DESC LIMIT 1`,
      )
      .pluck(),
  )
  const below = once(() =>
    db.prepare<[string, string, string], { path: RelPath; writer: DecisionId }>(
      `SELECT path, decision_id AS writer, max(writes.recorded) FROM writes JOIN decisions USING (decision_id)
       WHERE writes.plan_id = ? AND kind = 'write' AND path >= ? AND path < ? AND status = 'active'
       GROUP BY path`,
    ),
  )
  const command = once(() =>
    db.prepare<[string], { recorded: number; decision_id: DecisionId }>(
      `SELECT ran.recorded, ran.decision_id FROM writes AS ran JOIN decisions USING (decision_id)
       WHERE ran.plan_id = ? AND kind = 'command' AND status = 'active'
         AND EXISTS (SELECT 1 FROM writes WHERE decision_id = ran.decision_id AND kind = 'write')
       ORDER BY ran.recorded DESC LIMIT 1`,
    ),
  )
  const since = once(() =>
    db
      .prepare<[string, number], DecisionId>(
        `SELECT decision_id FROM writes JOIN decisions USING (decision_id)
         WHERE writes.plan_id = ? AND kind = 'write' AND writes.recorded > ? AND status = 'active'
         GROUP BY decision_id ORDER BY max(writes.recorded) DESC`,
      )
      .pluck(),
  )
  return {
    addPaths: (planId, decisionId, paths) => {
      write(() => {
        for (const path of paths) insert().run(planId, decisionId, 'write', path)
      })
    },
    addCommand: (planId, decisionId) => void write(() => insert().run(planId, decisionId, 'command', '')),
    lastWriter: (planId, path) => last().get(planId, path) ?? null,
    writtenBelow: (planId, prefix) =>
      below()
        .all(planId, prefix, `${prefix}\u{10FFFF}`)
        .map(({ path, writer }) => ({ path, writer })),
    beforeCommand: planId => {
      const before = command().get(planId)
      return { last: before?.decision_id ?? null, since: since().all(planId, before?.recorded ?? 0) }
    },
  }
}
