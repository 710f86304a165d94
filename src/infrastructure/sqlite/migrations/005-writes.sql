-- Which decision last wrote which path, and which ones ran commands, so that what a step rests on is looked up instead
-- of gathered from the journal. Rows are only added: those of superseded decisions no longer count and stay.
CREATE TABLE writes (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  decision_id TEXT NOT NULL REFERENCES decisions (decision_id) DEFERRABLE INITIALLY DEFERRED,
  kind TEXT NOT NULL CHECK (kind IN ('write', 'command')),
  path TEXT NOT NULL,
  UNIQUE (decision_id, kind, path)
) STRICT;
CREATE INDEX writes_path ON writes (plan_id, kind, path, recorded);
CREATE INDEX writes_order ON writes (plan_id, kind, recorded);

-- What commands of existing plans wrote is not on record by path; it counts where a command itself is asked about.
INSERT OR REPLACE INTO writes (plan_id, decision_id, kind, path)
SELECT plan_id, decision_id, kind, path FROM (
  SELECT steps.recorded, plan_id, rest ->> '$.decisionId' AS decision_id, 'write' AS kind, written.value AS path
  FROM steps, json_each(steps.rest, '$.written') AS written
  WHERE json_type(steps.rest, '$.written') = 'array' AND rest ->> '$.kind' IN ('tool', 'adopt')
  UNION ALL
  SELECT recorded, plan_id, rest ->> '$.decisionId', 'write', ''
  FROM steps WHERE rest ->> '$.written' = 'unknown' AND rest ->> '$.kind' = 'tool'
  UNION ALL
  SELECT recorded, plan_id, rest ->> '$.decisionId', 'command', ''
  FROM steps WHERE rest ->> '$.read' = 'unknown'
  ORDER BY recorded
) WHERE decision_id IS NOT NULL;

-- An edge that would have closed a circle is kept with its reason, and counts for nothing.
ALTER TABLE decision_dependencies ADD COLUMN refused TEXT;
CREATE INDEX decision_dependencies_upstream ON decision_dependencies (upstream_decision_id);
CREATE INDEX decision_dependencies_downstream ON decision_dependencies (downstream_ref);
