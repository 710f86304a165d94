-- Plans look for their children, and for the steps that drive them, at every turn.

CREATE INDEX plans_parent ON plans (parent_plan_id) WHERE parent_plan_id IS NOT NULL;
CREATE INDEX steps_unended ON steps (plan_id) WHERE status IN ('authorised', 'started');
