-- What is said in a session costs, too, and belongs to no plan and to no profile.
CREATE TABLE charges_of_all (
  recorded INTEGER PRIMARY KEY,
  charge_key TEXT NOT NULL UNIQUE,
  step_key TEXT NOT NULL,
  plan_id TEXT REFERENCES plans (plan_id) DEFERRABLE INITIALLY DEFERRED,
  session_id TEXT NOT NULL,
  profile TEXT,
  month TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'released')),
  nano_usd INTEGER NOT NULL CHECK (nano_usd >= 0),
  tokens INTEGER NOT NULL DEFAULT 0 CHECK (tokens >= 0),
  is_assumed INTEGER NOT NULL DEFAULT 0 CHECK (is_assumed IN (0, 1))
) STRICT;
INSERT INTO charges_of_all
  (recorded, charge_key, step_key, plan_id, session_id, profile, month, state, nano_usd, tokens, is_assumed)
SELECT recorded, charge_key, step_key, plan_id, session_id, profile, month, state, nano_usd, tokens, is_assumed
FROM charges;
DROP TABLE charges;
ALTER TABLE charges_of_all RENAME TO charges;
CREATE INDEX charges_plan ON charges (plan_id, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_session ON charges (session_id, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_profile ON charges (profile, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_month ON charges (month, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_step ON charges (step_key);
