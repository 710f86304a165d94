import type { PlanRepository } from '../../application/ports/plan.ts'
import type { PlanId } from '../../domain/ids.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Connection } from './connection.ts'
import { idMatcher } from './match.ts'
import { recordTable } from './record-table.ts'
import { planSchema } from './schemas/plan-schema.ts'

export function planRepository(connection: Connection): PlanRepository {
  const plans = recordTable<Plan>(connection, {
    table: 'plans',
    key: 'plan_id',
    columns: {
      planId: 'plan_id',
      name: 'name',
      parentPlanId: 'parent_plan_id',
      rootPlanId: 'root_plan_id',
      position: 'position',
    },
    schema: planSchema,
  })
  // A top-level plan has its name alone; children may repeat it.
  const byName = plans.one('WHERE name = ? ORDER BY parent_plan_id IS NOT NULL, recorded DESC LIMIT 1')
  const wanted =
    'phase = coalesce(?, phase) AND state = coalesce(?, state) AND project = coalesce(?, project)'
  // Children come along with their parents: what is limited is how many families there are.
  const listed = plans.many(
    `WHERE ${wanted} AND root_plan_id IN (
       SELECT root_plan_id FROM plans WHERE ${wanted} GROUP BY root_plan_id ORDER BY max(recorded) DESC LIMIT ?)
     ORDER BY recorded DESC`,
  )
  const latest = plans.one('WHERE parent_plan_id IS NULL ORDER BY recorded DESC LIMIT 1')
  return {
    latest: () => latest(),
    insert: plans.insert,
    update: plans.update,
    find: plans.one('WHERE plan_id = ?'),
    findByName: byName,
    listChildren: plans.many('WHERE parent_plan_id = ? ORDER BY recorded'),
    listDescendants: plans.many(
      `WHERE plan_id IN (
         WITH RECURSIVE below (plan_id) AS (
           SELECT plan_id FROM plans WHERE parent_plan_id = ?
           UNION SELECT plans.plan_id FROM plans JOIN below ON plans.parent_plan_id = below.plan_id
         ) SELECT plan_id FROM below
       ) ORDER BY recorded`,
    ),
    listBySession: plans.many(
      "WHERE rest ->> '$.contextId' = ? AND parent_plan_id IS NULL ORDER BY recorded DESC",
    ),
    listUnfinished: plans.many(
      "WHERE rest ->> '$.contextId' = ? AND state NOT IN ('applied', 'cancelled') ORDER BY recorded",
    ),
    match: idMatcher<PlanId>(connection, 'plans', 'plan_id'),
    list: ({ phase, state, project, limit }) => {
      const named = [phase ?? null, state ?? null, project ?? null]
      return listed(...named, ...named, limit)
    },
  }
}
