import type { DecisionRepository } from '../../application/ports.ts'
import type { Influence } from '../../domain/decision/influence.ts'
import type { Connection } from './connection.ts'
import { once, parsed } from './record-table.ts'
import { influenceSchema } from './schemas/decision-schema.ts'

interface Row {
  readonly upstream_decision_id: string
  readonly downstream_ref: string
  readonly dependency_type: string
  readonly origin: string
  readonly why: string
}

/** The edges between decisions. The same edge said twice is one row. */
export function influenceRows(
  connection: Connection,
): Pick<DecisionRepository, 'addInfluence' | 'influences'> {
  const { db, write } = connection
  const insert = once(() =>
    db.prepare<[string, string, string, string, string, string]>(
      `INSERT OR IGNORE INTO decision_dependencies
         (plan_id, upstream_decision_id, downstream_ref, dependency_type, origin, why)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
  )
  const select = once(() =>
    db.prepare<[string], Row>('SELECT * FROM decision_dependencies WHERE plan_id = ? ORDER BY recorded'),
  )
  return {
    addInfluence: (planId, { upstreamDecisionId, downstream, origin, why }) => {
      const reference = downstream.kind === 'plan' ? downstream.planId : downstream.decisionId
      write(() => insert().run(planId, upstreamDecisionId, reference, downstream.kind, origin, why))
    },
    influences: planId => select().all(planId).map(toInfluence),
  }
}

function toInfluence(row: Row): Influence {
  return parsed(influenceSchema, 'decision_dependencies', {
    upstreamDecisionId: row.upstream_decision_id,
    downstream:
      row.dependency_type === 'plan'
        ? { kind: 'plan', planId: row.downstream_ref }
        : { kind: 'decision', decisionId: row.downstream_ref },
    origin: row.origin,
    why: row.why,
  })
}
