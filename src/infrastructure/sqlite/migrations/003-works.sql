-- rewrites data
-- What a plan did in its sandbox, one row a stretch. Those that `dropped` has no number for are its line of work now;
-- the others left it together with those of the same number. Older plans get theirs from what their checkpoints tell.

CREATE TABLE works (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  seq INTEGER NOT NULL,
  decision_id TEXT REFERENCES decisions (decision_id) DEFERRABLE INITIALLY DEFERRED,
  dropped INTEGER,
  rest TEXT NOT NULL,
  UNIQUE (plan_id, seq)
) STRICT;
CREATE INDEX works_present ON works (plan_id, seq) WHERE dropped IS NULL;
CREATE INDEX works_decision ON works (decision_id);

ALTER TABLE decisions ADD COLUMN choice_key TEXT GENERATED ALWAYS AS (rest ->> '$.key');
ALTER TABLE decisions ADD COLUMN place INTEGER GENERATED ALWAYS AS (rest ->> '$.standing.place');
ALTER TABLE decisions ADD COLUMN resumes_from TEXT GENERATED ALWAYS AS (rest ->> '$.standing.actorStateRef');
CREATE INDEX decisions_place ON decisions (plan_id, place);
CREATE INDEX decisions_key ON decisions (plan_id, choice_key) WHERE status = 'active';
CREATE INDEX decisions_kept ON decisions (plan_id)
  WHERE status = 'active' AND choice_key IS NOT NULL AND resumes_from IS NULL;

ALTER TABLE steps ADD COLUMN decision_id TEXT GENERATED ALWAYS AS (rest ->> '$.decisionId');
ALTER TABLE steps ADD COLUMN path TEXT GENERATED ALWAYS AS (rest ->> '$.path');
CREATE INDEX steps_decision ON steps (decision_id, path);
CREATE INDEX steps_path ON steps (plan_id, path);

UPDATE decisions SET rest = json_set(
  rest, '$.standing', json_object('place', number, 'actorStateRef', rest ->> '$.contextSnapshot.actorStateRef')
);

WITH working AS (
  SELECT d.plan_id, d.decision_id, d.number, d.status, d.rest ->> '$.attempt' AS attempt,
    c.rest ->> '$.state' AS state,
    coalesce(c.rest ->> '$.origin.base', c.rest ->> '$.origin.cursor.base') AS base
  FROM decisions d LEFT JOIN checkpoint_metadata c ON c.checkpoint_id = d.rest ->> '$.checkpointId'
  WHERE d.choice_key IS NOT NULL OR c.checkpoint_id IS NOT NULL
),
active AS (
  SELECT *, row_number() OVER line AS nth, lead(number) OVER line AS next,
    lead(state) OVER line AS next_state, lead(base) OVER line AS next_base
  FROM working WHERE status = 'active' WINDOW line AS (PARTITION BY plan_id ORDER BY number)
),
gone AS (
  SELECT *, lead(number) OVER line AS next, lead(state) OVER line AS next_state, lead(base) OVER line AS next_base
  FROM working WINDOW line AS (PARTITION BY plan_id, attempt ORDER BY number)
),
stretches AS (
  SELECT plan_id, 0 AS number, NULL AS decision_id, NULL AS dropped, NULL AS begins, state AS ends, base
  FROM active WHERE nth = 1
  UNION ALL
  SELECT a.plan_id, a.number, a.decision_id, NULL, a.state,
    iif(a.next IS NULL, iif(p.rest -> '$.changes' = 'null', NULL, c.rest ->> '$.sandboxState'), a.next_state),
    iif(a.next IS NULL, c.rest ->> '$.base', a.next_base)
  FROM active a JOIN plans p ON p.plan_id = a.plan_id LEFT JOIN cursors c ON c.plan_id = a.plan_id
  UNION ALL
  SELECT g.plan_id, g.number, g.decision_id, g.attempt, g.state,
    iif(g.next IS NULL, (
      SELECT t.rest ->> '$.safetyState' FROM correction_attempts t, json_each(t.rest, '$.supersededIds') s
      WHERE t.plan_id = g.plan_id AND s.value = g.decision_id LIMIT 1
    ), g.next_state),
    g.next_base
  FROM gone g WHERE g.status <> 'active'
)
INSERT INTO works (plan_id, seq, decision_id, dropped, rest)
SELECT plan_id, row_number() OVER (PARTITION BY plan_id ORDER BY number), decision_id, dropped,
  json_object('from', begins, 'to', ends, 'base', base)
FROM stretches WHERE ends IS NOT NULL AND ends IS NOT begins;
