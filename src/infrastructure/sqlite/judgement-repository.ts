import type { Outcomes } from '../../application/ports/decision.ts'
import type { JudgementRepository } from '../../application/ports/gate.ts'
import type { Connection } from './connection.ts'
import { fateOf } from './fate.ts'
import { once, parsed } from './record-table.ts'
import { judgementSchema } from './schemas/decision-schema.ts'

/** Rows are only added. */
export function judgementRepository({ db, write }: Connection): JudgementRepository {
  const insert = once(() =>
    db.prepare<[string, string]>('INSERT INTO judgements (plan_id, rest) VALUES (?, ?)'),
  )
  const byPlan = once(() =>
    db.prepare<[string], string>('SELECT rest FROM judgements WHERE plan_id = ? ORDER BY recorded').pluck(),
  )
  const outcomes = once(() =>
    db.prepare<[string, string], Outcomes>(
      `SELECT count(*) AS total, count(*) FILTER (WHERE good) AS good FROM (
         SELECT ${fateOf(correctedLater)} AS good FROM judgements JOIN plans USING (plan_id)
         WHERE judgements.gate = ? AND plans.project = ? AND good IS NOT NULL
         ORDER BY judgements.recorded DESC LIMIT 50)`,
    ),
  )
  return {
    insert: judgement => void write(() => insert().run(judgement.planId, JSON.stringify(judgement))),
    listByPlan: planId =>
      byPlan()
        .all(planId)
        .map(rest => parsed(judgementSchema, 'judgements', JSON.parse(rest))),
    outcomes: (project, gate) => outcomes().get(gate, project) ?? { total: 0, good: 0 },
  }
}

/** Whatever passed before a person corrected the plan was not good enough. */
const correctedLater = `EXISTS (
  SELECT 1 FROM correction_attempts AS corrected
  WHERE corrected.plan_id = judgements.plan_id AND corrected.rest ->> '$.mode' = 'revert'
    AND corrected.rest ->> '$.createdAt' > judgements.rest ->> '$.at')`
