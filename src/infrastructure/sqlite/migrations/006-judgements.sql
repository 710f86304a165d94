-- What the confidence controller said about each operation, and the files that plans of a project have met: both are
-- history that later comparisons count.
CREATE TABLE judgements (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  rest TEXT NOT NULL,
  gate TEXT GENERATED ALWAYS AS (rest ->> '$.confidence.gate')
) STRICT;
CREATE INDEX judgements_plan ON judgements (plan_id);
CREATE INDEX judgements_gate ON judgements (gate);

CREATE TABLE met_paths (
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  root_plan_id TEXT NOT NULL,
  -- Whether another plan had met it before.
  known INTEGER NOT NULL,
  PRIMARY KEY (project, path, root_plan_id)
) STRICT, WITHOUT ROWID;

-- Sums of it, so that a comparison late in a plan costs what one at its beginning costs.
CREATE TABLE met_counts (
  root_plan_id TEXT PRIMARY KEY,
  paths INTEGER NOT NULL,
  known INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
