-- Checks with a name, and what each is attached to.
CREATE TABLE validations (
  recorded INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  rest TEXT NOT NULL
) STRICT;

CREATE TABLE validation_attachments (
  recorded INTEGER PRIMARY KEY,
  attachment_id TEXT NOT NULL UNIQUE,
  validation TEXT NOT NULL REFERENCES validations (name) DEFERRABLE INITIALLY DEFERRED,
  resource TEXT NOT NULL,
  rest TEXT NOT NULL
) STRICT;
CREATE INDEX validation_attachments_resource ON validation_attachments (resource);
