-- What must stay true: for all plans, in a project, for what an action makes from then on, or for one plan.
CREATE TABLE invariants (
  recorded INTEGER PRIMARY KEY,
  invariant_id TEXT NOT NULL UNIQUE,
  rest TEXT NOT NULL,
  scope TEXT GENERATED ALWAYS AS (rest ->> '$.scope.kind'),
  subject TEXT GENERATED ALWAYS AS (
    coalesce(rest ->> '$.scope.project', rest ->> '$.scope.action', rest ->> '$.scope.planId')
  )
) STRICT;
CREATE INDEX invariants_scope ON invariants (scope, subject);

-- Plans held theirs as words. Time and chance of a new id: those of the plan, and eight random bytes, whose hexadecimal
-- digits are digits of an id too.
INSERT INTO invariants (invariant_id, rest)
SELECT substr(plans.plan_id, 1, 10) || hex(randomblob(8)), json_object(
  'text', said.value,
  'rule', NULL,
  'scope', json_object('kind', 'plan', 'planId', plans.plan_id, 'fromAction', NULL),
  'nonOverridable', json('false'),
  'statedBy', 'an earlier version',
  'createdAt', plans.rest ->> '$.createdAt'
)
FROM plans, json_each(plans.rest, '$.invariants') AS said
WHERE said.type = 'text'
ORDER BY plans.recorded, said.key;
