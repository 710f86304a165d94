-- Conversations that outlive the plans started in them. What was said is in `messages`, under the session's id.
CREATE TABLE sessions (
  recorded INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  name TEXT,
  state TEXT NOT NULL,
  rest TEXT NOT NULL
) STRICT;
