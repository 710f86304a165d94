-- Tokens that calls of models read and wrote, and whether their amount is only assumed because the price is unknown.
ALTER TABLE charges ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0 CHECK (tokens >= 0);
ALTER TABLE charges ADD COLUMN is_assumed INTEGER NOT NULL DEFAULT 0 CHECK (is_assumed IN (0, 1));

-- Sums are read from the indexes alone.
DROP INDEX charges_plan;
DROP INDEX charges_session;
DROP INDEX charges_profile;
DROP INDEX charges_month;
CREATE INDEX charges_plan ON charges (plan_id, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_session ON charges (session_id, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_profile ON charges (profile, state, nano_usd, tokens, is_assumed);
CREATE INDEX charges_month ON charges (month, state, nano_usd, tokens, is_assumed);
