import type { DecisionRepository } from '../../application/ports/decision.ts'
import type { Influence } from '../../domain/decision/influence.ts'
import { asId, type PlanId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { once, parsed } from './record-table.ts'
import { influenceSchema } from './schemas/decision-schema.ts'

interface Row {
  readonly upstream_decision_id: string
  readonly downstream_ref: string
  readonly dependency_type: string
  readonly origin: string
  readonly why: string
  readonly refused: string | null
}

interface Edge {
  readonly upstream: number
  /** Null where it is a plan. */
  readonly downstream: number | null
  readonly plan_id: string
  readonly why: string
}

/** The edges between decisions. The same edge said twice is one row. */
export function influenceRows(
  connection: Connection,
): Pick<DecisionRepository, 'addInfluence' | 'influences' | 'web' | 'influencesAround' | 'reaches'> {
  const { db, write } = connection
  const insert = once(() =>
    db.prepare<[string, string, string, string, string, string, string | null]>(
      `INSERT OR IGNORE INTO decision_dependencies
         (plan_id, upstream_decision_id, downstream_ref, dependency_type, origin, why, refused)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
  )
  const select = (where: string) =>
    once(() =>
      db.prepare<[string], Row>(`SELECT * FROM decision_dependencies WHERE ${where} ORDER BY recorded`),
    )
  const ofPlan = select('plan_id = ? AND refused IS NULL')
  const into = select('downstream_ref = ?')
  const from = select('upstream_decision_id = ? AND refused IS NULL')
  const parents = once(() =>
    db
      .prepare<[string], number>(
        `SELECT coalesce(parent.number, 0) FROM decisions
         LEFT JOIN decisions AS parent ON parent.decision_id = decisions.parent_decision_id
         WHERE decisions.plan_id = ? ORDER BY decisions.number`,
      )
      .pluck(),
  )
  const edges = once(() =>
    db.prepare<[string], Edge>(
      `SELECT upstream.number AS upstream, downstream.number AS downstream, downstream_ref AS plan_id, why
       FROM decision_dependencies AS edge
       JOIN decisions AS upstream ON upstream.decision_id = upstream_decision_id
       LEFT JOIN decisions AS downstream ON downstream.decision_id = downstream_ref AND dependency_type = 'decision'
       WHERE edge.plan_id = ? AND refused IS NULL ORDER BY edge.recorded`,
    ),
  )
  const reach = once(() =>
    db
      .prepare<[string, string], number>(
        `WITH RECURSIVE reached (decision_id) AS (
           SELECT ? UNION
           SELECT downstream_ref FROM decision_dependencies JOIN reached ON upstream_decision_id = decision_id
           WHERE dependency_type = 'decision' AND refused IS NULL
         )
         SELECT 1 FROM reached WHERE decision_id = ? LIMIT 1`,
      )
      .pluck(),
  )
  return {
    addInfluence: (planId, { upstreamDecisionId, downstream, origin, why }, refused) => {
      const reference = downstream.kind === 'plan' ? downstream.planId : downstream.decisionId
      const { kind } = downstream
      write(() => insert().run(planId, upstreamDecisionId, reference, kind, origin, why, refused ?? null))
    },
    influences: planId => ofPlan().all(planId).map(toInfluence),
    web: planId => ({
      parents: parents().all(planId),
      edges: edges()
        .all(planId)
        .map(({ upstream, downstream, plan_id, why }) => ({
          upstream,
          downstream: downstream ?? asId<PlanId>(plan_id),
          why,
        })),
    }),
    influencesAround: decisionId => {
      const rows = into().all(decisionId)
      return {
        upstream: rows.filter(({ refused }) => refused === null).map(toInfluence),
        downstream: from().all(decisionId).map(toInfluence),
        refused: rows.flatMap(row =>
          row.refused === null ? [] : [{ influence: toInfluence(row), reason: row.refused }],
        ),
      }
    },
    reaches: (first, second) => reach().get(first, second) !== undefined,
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
