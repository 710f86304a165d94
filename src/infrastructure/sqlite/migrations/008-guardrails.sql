-- What calls cost, in whole billionths of a dollar so that sums are exact. A row is reserved before its call begins,
-- and settled or released afterwards; what counts stands in nano_usd in every state.
CREATE TABLE charges (
  recorded INTEGER PRIMARY KEY,
  charge_key TEXT NOT NULL UNIQUE,
  step_key TEXT NOT NULL,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  session_id TEXT NOT NULL,
  profile TEXT NOT NULL,
  month TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'released')),
  nano_usd INTEGER NOT NULL CHECK (nano_usd >= 0)
) STRICT;
CREATE INDEX charges_plan ON charges (plan_id, state, nano_usd);
CREATE INDEX charges_session ON charges (session_id, state, nano_usd);
CREATE INDEX charges_profile ON charges (profile, state, nano_usd);
CREATE INDEX charges_month ON charges (month, state, nano_usd);
CREATE INDEX charges_step ON charges (step_key);

-- How far each plan has come against its limits. A plan without a row has done nothing that is counted.
CREATE TABLE guardrail_counts (
  plan_id TEXT PRIMARY KEY REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  steps INTEGER NOT NULL DEFAULT 0,
  ran_ms INTEGER NOT NULL DEFAULT 0,
  since TEXT,
  allowed INTEGER NOT NULL DEFAULT 0,
  denied INTEGER NOT NULL DEFAULT 0,
  evicted INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The newest checks of each plan; the same check of the same step is one row.
CREATE TABLE guardrail_audit (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  check_key TEXT NOT NULL,
  at TEXT NOT NULL,
  event_type TEXT NOT NULL,
  guard_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  context TEXT NOT NULL,
  UNIQUE (plan_id, check_key, event_type)
) STRICT;
CREATE INDEX guardrail_audit_plan ON guardrail_audit (plan_id, recorded);

-- Calls with their results, as digests, so that one that only repeats itself is noticed.
CREATE TABLE repeated_calls (
  recorded INTEGER PRIMARY KEY,
  plan_id TEXT NOT NULL REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  call TEXT NOT NULL,
  result TEXT NOT NULL,
  -- It wrote something that had not been written so before.
  is_progress INTEGER NOT NULL CHECK (is_progress IN (0, 1))
) STRICT;
CREATE INDEX repeated_calls_plan ON repeated_calls (plan_id, call, result, recorded);
CREATE INDEX repeated_calls_progress ON repeated_calls (plan_id, is_progress, recorded);

-- Sessions in which a plan found no money left: the others of the session stand still until there is room again.
CREATE TABLE exceeded_sessions (
  session_id TEXT PRIMARY KEY,
  excess TEXT NOT NULL
) STRICT;
