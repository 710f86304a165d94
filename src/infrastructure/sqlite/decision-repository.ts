import type SQLite from 'better-sqlite3'
import type { DecisionRepository, Outcomes } from '../../application/ports/decision.ts'
import type { Decision } from '../../domain/decision/decision.ts'
import type { StatedBand } from '../../domain/gate/calibration.ts'
import type { DecisionId } from '../../domain/ids.ts'
import type { Connection } from './connection.ts'
import { fateOf } from './fate.ts'
import { influenceRows } from './influence-rows.ts'
import { idMatcher } from './match.ts'
import { once, recordTable } from './record-table.ts'
import { decisionSchema } from './schemas/decision-schema.ts'

export function decisionRepository(connection: Connection): DecisionRepository {
  const { db, write } = connection
  const decisions = recordTable<Decision>(connection, {
    table: 'decisions',
    key: 'decision_id',
    columns: {
      decisionId: 'decision_id',
      planId: 'plan_id',
      number: 'number',
      parentDecisionId: 'parent_decision_id',
      type: 'type',
    },
    schema: decisionSchema,
  })
  // A decision is never rewritten: these fields are all that may change.
  const set = (field: 'status' | 'changes' | 'standing') =>
    once(() =>
      db.prepare<[string, string]>(
        `UPDATE decisions SET rest = json_set(rest, '$.${field}', json(?)) WHERE decision_id = ?`,
      ),
    )
  const setStatus = set('status')
  const setChanges = set('changes')
  const setStanding = set('standing')
  const next = (column: 'number' | 'place') =>
    once(() =>
      db
        .prepare<[string], number>(`SELECT coalesce(max(${column}), 0) + 1 FROM decisions WHERE plan_id = ?`)
        .pluck(),
    )
  const nextNumber = next('number')
  const nextPlace = next('place')
  const keepAfter = once(() =>
    db.prepare<[string, number]>(
      `UPDATE decisions SET rest = json_set(rest, '$.standing.actorStateRef', NULL)
       WHERE plan_id = ? AND place > ? AND status = 'active' AND choice_key IS NOT NULL`,
    ),
  )
  const match = idMatcher<DecisionId>(connection, 'decisions', 'decision_id', '? IS NULL OR plan_id = ?')
  const statedBands = once(() =>
    db.prepare<[], StatedBand>(
      `SELECT type, tenth / 10.0 AS "from", (tenth + 1) / 10.0 AS "to", count(*) AS passed,
         count(*) FILTER (WHERE rest ->> '$.status.reason' IS 'correction') AS corrected
       FROM (SELECT type, rest, min(CAST((rest ->> '$.confidence') * 10 + 1e-9 AS INTEGER), 9) AS tenth
         FROM decisions WHERE rest ->> '$.confidence' IS NOT NULL AND rest ->> '$.decidedBy' = 'actor')
       GROUP BY type, tenth ORDER BY type, tenth`,
    ),
  )
  const outcomes = once(() =>
    db.prepare<[string, string], Outcomes>(
      `SELECT count(*) AS total, count(*) FILTER (WHERE good) AS good FROM (
         SELECT ${fateOf("decisions.rest ->> '$.status.reason' IS 'correction'")} AS good
         FROM decisions JOIN plans USING (plan_id)
         WHERE decisions.type = ? AND plans.project = ? AND good IS NOT NULL
         ORDER BY decisions.recorded DESC LIMIT 50)`,
    ),
  )
  return {
    insert: decisions.insert,
    setStatus: (decisionIds, status) => {
      write(() => {
        for (const decisionId of decisionIds) changeOne(setStatus(), status, decisionId)
      })
    },
    setChanges: (decisionId, changes) => write(() => changeOne(setChanges(), changes, decisionId)),
    setStanding: (decisionId, standing) => write(() => changeOne(setStanding(), standing, decisionId)),
    find: decisions.one('WHERE decision_id = ?'),
    match,
    findByNumber: decisions.one('WHERE plan_id = ? AND number = ?'),
    findActiveByKey: decisions.one(
      `WHERE plan_id = ? AND choice_key = ? AND status = 'active' ORDER BY number DESC LIMIT 1`,
    ),
    listKept: decisions.many(
      `WHERE plan_id = ? AND status = 'active' AND choice_key IS NOT NULL AND resumes_from IS NULL ORDER BY place`,
    ),
    findReachedBefore: decisions.one(
      `WHERE plan_id = ? AND place < ? AND status = 'active' AND choice_key IS NOT NULL AND resumes_from IS NOT NULL
       ORDER BY place DESC LIMIT 1`,
    ),
    keepAfter: (planId, place) => void write(() => keepAfter().run(planId, place)),
    listByPlan: decisions.many('WHERE plan_id = ? ORDER BY number'),
    nextNumber: planId => nextNumber().get(planId) ?? 1,
    nextPlace: planId => nextPlace().get(planId) ?? 1,
    ...influenceRows(connection),
    statedBands: () => statedBands().all(),
    outcomes: (project, type) => outcomes().get(type, project) ?? { total: 0, good: 0 },
  }
}

function changeOne(
  statement: SQLite.Statement<[string, string]>,
  value: object,
  decisionId: DecisionId,
): void {
  if (statement.run(JSON.stringify(value), decisionId).changes === 0)
    throw new Error(`no decision ${decisionId} to change`)
}
