-- What is said between us and models: a tree that only grows. A thread is a plan or a session.
CREATE TABLE messages (
  recorded INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  after_id TEXT,
  thread TEXT NOT NULL,
  at TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;
CREATE INDEX messages_thread ON messages (thread);
