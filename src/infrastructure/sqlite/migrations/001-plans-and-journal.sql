-- Every table counts its rows in `recorded`: the order in which they were written, which ids of several processes
-- in one millisecond do not tell. Fields that are asked for have a column, or one computed from `rest`.
-- References are checked at the end of a transaction, so its statements may come in any order.

CREATE TABLE plans (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  parent_plan_id TEXT REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  root_plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  position TEXT NOT NULL,
  rest TEXT NOT NULL,
  phase TEXT GENERATED ALWAYS AS (substr(position, 1, instr(position, '/') - 1)),
  state TEXT GENERATED ALWAYS AS (substr(position, instr(position, '/') + 1)),
  project TEXT GENERATED ALWAYS AS (rest ->> '$.project.name')
) STRICT;
CREATE UNIQUE INDEX plans_top_level_name ON plans (name) WHERE parent_plan_id IS NULL;

CREATE TABLE decisions (
  recorded INTEGER PRIMARY KEY,
  decision_id TEXT NOT NULL UNIQUE,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  number INTEGER NOT NULL,
  parent_decision_id TEXT REFERENCES decisions (decision_id) DEFERRABLE INITIALLY DEFERRED,
  type TEXT NOT NULL,
  rest TEXT NOT NULL,
  status TEXT GENERATED ALWAYS AS (rest ->> '$.status.kind'),
  UNIQUE (plan_id, number)
) STRICT;
CREATE INDEX decisions_type ON decisions (type);

CREATE TABLE decision_dependencies (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  upstream_decision_id TEXT NOT NULL REFERENCES decisions (decision_id) DEFERRABLE INITIALLY DEFERRED,
  downstream_ref TEXT NOT NULL,
  dependency_type TEXT NOT NULL CHECK (dependency_type IN ('decision', 'plan')),
  origin TEXT NOT NULL CHECK (origin IN ('declared', 'derived')),
  why TEXT NOT NULL,
  UNIQUE (plan_id, upstream_decision_id, downstream_ref, origin, why)
) STRICT;

CREATE TABLE gates (
  recorded INTEGER PRIMARY KEY,
  gate_id TEXT NOT NULL UNIQUE,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  kind TEXT NOT NULL,
  rest TEXT NOT NULL,
  status TEXT GENERATED ALWAYS AS (rest ->> '$.status.kind')
) STRICT;
CREATE INDEX gates_plan ON gates (plan_id);
CREATE INDEX gates_open ON gates (recorded) WHERE status = 'open';

CREATE TABLE steps (
  recorded INTEGER PRIMARY KEY,
  step_id TEXT NOT NULL UNIQUE,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  idempotency_key TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  rest TEXT NOT NULL
) STRICT;
CREATE INDEX steps_plan ON steps (plan_id);

CREATE TABLE cursors (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL UNIQUE REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  rest TEXT NOT NULL
) STRICT;

CREATE TABLE checkpoint_metadata (
  recorded INTEGER PRIMARY KEY,
  checkpoint_id TEXT NOT NULL UNIQUE,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  rest TEXT NOT NULL
) STRICT;
CREATE INDEX checkpoint_metadata_plan ON checkpoint_metadata (plan_id);

CREATE TABLE correction_attempts (
  recorded INTEGER PRIMARY KEY,
  correction_id TEXT NOT NULL UNIQUE,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  rest TEXT NOT NULL
) STRICT;
CREATE INDEX correction_attempts_plan ON correction_attempts (plan_id);

CREATE TABLE grants (
  recorded INTEGER PRIMARY KEY,
  grant_id TEXT NOT NULL UNIQUE,
  revoked_at TEXT,
  rest TEXT NOT NULL,
  plan_id TEXT GENERATED ALWAYS AS (rest ->> '$.scope.planId'),
  profile TEXT GENERATED ALWAYS AS (rest ->> '$.scope.profile')
) STRICT;
CREATE INDEX grants_plan ON grants (plan_id);

CREATE TABLE actions (
  recorded INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  action TEXT NOT NULL
) STRICT;

CREATE TABLE projects (
  recorded INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  rest TEXT NOT NULL
) STRICT;
CREATE INDEX projects_root ON projects (root);

CREATE TABLE leases (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL UNIQUE REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  rest TEXT NOT NULL,
  holder_pid INTEGER GENERATED ALWAYS AS (rest ->> '$.holder.pid'),
  holder_started_at TEXT GENERATED ALWAYS AS (rest ->> '$.holder.startedAt')
) STRICT;

CREATE TABLE requests (
  recorded INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  taken_at TEXT,
  rest TEXT NOT NULL
) STRICT;
CREATE INDEX requests_untaken ON requests (plan_id) WHERE taken_at IS NULL;

CREATE TABLE conversations (
  recorded INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL UNIQUE,
  rest TEXT NOT NULL
) STRICT;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  root_plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  at TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX events_plan ON events (plan_id, seq);

CREATE TABLE blobs (
  ref TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
